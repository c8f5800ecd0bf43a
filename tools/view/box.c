// SPDX-License-Identifier: Apache-2.0
#include "tools/view/box.h"

#include <stdio.h>
#include <string.h>

ViewBox view_box_of(const ViewDrawing* drawing, int graph, const ViewVertex* vertex, const ViewTimes* times) {
    ViewBox box = {.is_end = vertex->kind != kViewNodeVertex, .place = kViewOnCpu};
    OcliteNode node;
    view_graph_label(drawing->subject, graph, vertex, &box.label);
    if (!box.is_end && oclite_interpreter_node(drawing->subject->session.interpreter, graph, vertex->index,
                                               &node) == kTfLiteOk) {
        box.place = view_subject_place(drawing->subject, graph, &node);
        box.time = view_time_of(drawing->subject, graph, vertex->index);
    }
    if (box.time.source != kViewUnknown && times->slowest > 0) {
        box.share = box.time.ns / times->total;
        box.portion = box.time.ns / times->slowest;
    }
    return box;
}

static void add_note(char* note, const char* name, int64_t ns, bool measured) {
    const size_t used = strlen(note);
    char text[kViewCostText];
    if (ns < 0) return;
    snprintf(note + used, kViewNoteSize - used, "; %s %s", name, view_cost_text(ns, measured, text));
}

void view_place_name(int place, char* text, size_t size) {
    if (place >= 0)
        snprintf(text, size, "OpenCL, partition %d", place);
    else
        snprintf(text, size, "%s", place == kViewUnresolved ? "unresolved" : "CPU");
}

void view_box_note(const ViewDrawing* drawing, int graph, const ViewVertex* vertex, const ViewBox* box,
                   char note[kViewNoteSize]) {
    const ViewNode* known = view_subject_node(drawing->subject, graph, vertex->index);
    char place[64], text[kViewTimeText];
    view_place_name(box->place, place, sizeof(place));
    int used = snprintf(note, kViewNoteSize, "#%d, %s", vertex->index, place);
    if (box->time.source != kViewUnknown)
        snprintf(note + used, (size_t)(kViewNoteSize - used), ": %s, %.1f %% of the nodes, %s",
                 view_time_text(box->time.ns, text), 100 * box->share, view_source_text(box->time.source));
    if (known == NULL || !known->asked) return;
    add_note(note, "placed by: on the CPU", known->host_cost_ns, known->host_cost_measured);
    add_note(note, "on the device", known->device_cost_ns, known->device_cost_measured);
    if (known->reason == NULL) return;
    char reason[256];
    const size_t length = strlen(note);
    view_plain_text(known->reason, (int)sizeof(reason), reason, sizeof(reason));
    snprintf(note + length, kViewNoteSize - length, "; not on the device: %s", reason);
}

ViewPlaces view_places_of(const ViewDrawing* drawing, int graph) {
    const ViewSubject* subject = drawing->subject;
    ViewPlaces places = {{0}, 0};
    for (int n = 0; n < subject->node_counts[graph]; n++) {
        OcliteNode node;
        if (oclite_interpreter_node(subject->session.interpreter, graph, n, &node) != kTfLiteOk) break;
        if (node.is_delegate) continue;
        const int place = view_subject_place(subject, graph, &node);
        if (place < kViewMostPlaces)
            places.counts[place - kViewUnresolved]++;
        else
            places.others++;
    }
    return places;
}

void view_bars_text(const ViewTimes* times, char* text, size_t size) {
    char slowest[kViewTimeText];
    text[0] = '\0';
    if (times->count == 0 || times->slowest <= 0) return;
    const char* how = times->estimated == 0              ? "measured"
                      : times->estimated == times->count ? "estimated"
                                                         : "measured, hollow: estimated";
    snprintf(text, size, "time, full: %s, %.1f %% of the nodes (%s)", view_time_text(times->slowest, slowest),
             100 * times->slowest / times->total, how);
}
