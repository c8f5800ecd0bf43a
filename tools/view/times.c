// SPDX-License-Identifier: Apache-2.0
#include "tools/view/times.h"

#include <stdio.h>

static ViewTime cost_of(int64_t ns, bool measured) {
    // A measured node that takes nothing has run along with another one.
    if (ns < 0 || (ns == 0 && measured)) return (ViewTime){kViewUnknown, 0};
    return (ViewTime){measured ? kViewTried : kViewEstimated, (double)ns};
}

ViewTime view_time_of(const ViewSubject* subject, int graph, int node) {
    const ViewTime unknown = {kViewUnknown, 0};
    const ViewNode* known = view_subject_node(subject, graph, node);
    OcliteNode of;
    if (known == NULL ||
        oclite_interpreter_node(subject->session.interpreter, graph, node, &of) != kTfLiteOk ||
        of.is_delegate)
        return unknown;
    const bool on_device = of.delegate_node >= 0;
    if (on_device && known->device_ns > 0) return (ViewTime){kViewTimed, known->device_ns};
    if (!on_device && known->calls > 0 && subject->runs > 0) return (ViewTime){kViewTimed, known->host_ns};
    if (!known->asked) return unknown;
    return on_device ? cost_of(known->device_cost_ns, known->device_cost_measured)
                     : cost_of(known->host_cost_ns, known->host_cost_measured);
}

ViewTimes view_times_of(const ViewSubject* subject, int graph) {
    ViewTimes times = {0};
    for (int n = 0; n < subject->node_counts[graph]; n++) {
        const ViewTime time = view_time_of(subject, graph, n);
        if (time.source == kViewUnknown) continue;
        times.count++;
        times.estimated += time.source == kViewEstimated;
        times.total += time.ns;
        if (time.ns > times.slowest) times.slowest = time.ns;
    }
    return times;
}

const char* view_source_text(ViewSource source) {
    static const char* const texts[] = {[kViewUnknown] = "not known",
                                        [kViewTimed] = "measured",
                                        [kViewTried] = "measured in trials",
                                        [kViewEstimated] = "estimated"};
    return texts[source];
}

const char* view_time_text(double ns, char text[kViewTimeText]) {
    if (ns >= 1e9)
        snprintf(text, kViewTimeText, "%.4g s", ns * 1e-9);
    else if (ns >= 1e6)
        snprintf(text, kViewTimeText, "%.4g ms", ns * 1e-6);
    else
        snprintf(text, kViewTimeText, "%.4g us", ns * 1e-3);
    return text;
}

const char* view_cost_text(int64_t ns, bool measured, char text[kViewCostText]) {
    char time[kViewTimeText];
    if (ns == 0 && measured)
        snprintf(text, kViewCostText, "as one with another node, measured");
    else
        snprintf(text, kViewCostText, "%s, %s", view_time_text((double)ns, time),
                 measured ? "measured" : "estimated");
    return text;
}
