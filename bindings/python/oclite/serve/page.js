// SPDX-License-Identifier: Apache-2.0
// The page of oclite serve: what is asked of models, and a picture to try one with. Texts of models go in as
// text, never as HTML.
"use strict";

const EVERY = 2000;  // ms between looks at the server
const CLASSES = 5;   // that are shown

const byId = (id) => document.getElementById(id);
let token = "";
let before = new Map();  // requests of each version, and when
let chosen = null;       // what is known of the model to try

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// ---- The server ----

async function ask(path, options = {}) {
  const headers = {...options.headers};
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, {...options, headers, credentials: "omit"});
  if (answer.ok) return answer.json();
  if (answer.status === 401) byId("access").hidden = false;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.error || `the server answers ${answer.status}`);
}

// ---- The table ----

function rate(row, now) {
  const key = `${row.name}/${row.version}`;
  const last = before.get(key);
  before.set(key, {requests: row.requests, now});
  if (!last || now <= last.now || row.requests < last.requests) return "";
  return ((row.requests - last.requests) * 1000 / (now - last.now)).toFixed(1);
}

function cells(row, now) {
  const busy = element("td");
  const bar = element("progress");
  bar.max = row.instances;
  bar.value = row.busy;
  busy.append(bar, `${row.busy} of ${row.instances}`);
  const texts = [row.waiting, row.requests, rate(row, now)].map((value) => element("td", value));
  const failed = element("td", row.failed, row.failed ? "bad" : "");
  const times =
      [row.p50_ms, row.p99_ms].map((value) => element("td", value === null ? "" : value.toFixed(2)));
  return [busy, ...texts, failed, ...times];
}

function showModels(rows) {
  const now = performance.now();
  byId("models").replaceChildren(...rows.map((row) => {
    const line = element("tr");
    line.append(element("td", row.name), element("td", row.version));
    if (row.state === "READY") {
      line.append(...cells(row, now));
    } else {
      const why = element("td", [row.state.toLowerCase(), row.reason].filter(Boolean).join(": "), "why");
      why.colSpan = 7;
      line.append(why);
    }
    return line;
  }));
  offer(rows.filter((row) => row.picture));
}

async function look() {
  try {
    const told = await ask("/page/models.json");
    byId("access").hidden = true;
    byId("state").textContent = told.draining ? "is ending" : `${told.models.length} versions of models`;
    byId("state").className = "";
    showModels(told.models);
  } catch (error) {
    byId("state").textContent = error.message;
    byId("state").className = "bad";
  }
}

// ---- A picture ----

function offer(rows) {
  const select = byId("model");
  const values = rows.map((row) => `${row.name}/${row.version}`);
  if (values.join("\n") !== [...select.options].map((option) => option.value).join("\n")) {
    const was = select.value;
    select.replaceChildren(...rows.map((row, i) => {
      const option = element("option", `${row.name}, version ${row.version}`);
      option.value = values[i];
      return option;
    }));
    if (values.includes(was)) select.value = was;
  }
  byId("try").hidden = values.length === 0;
}

// What the model sees: the picture in its size, with the canvas showing just that.
async function draw(file, size) {
  const picture = await createImageBitmap(file);
  const canvas = byId("picture");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, size.width, size.height);
  return context.getImageData(0, 0, size.width, size.height).data;
}

function channelsOf(data, at, count) {
  if (count === 3) return [data[at], data[at + 1], data[at + 2]];
  return [0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]];
}

// (value - mean) / std of each channel, quantized if the input is.
function tensorOf(data, picture, datatype) {
  const kinds = {FP32: Float32Array, UINT8: Uint8ClampedArray, INT8: Int8Array};
  const count = picture.channels;
  const tensor = new kinds[datatype](picture.width * picture.height * count);
  for (let pixel = 0; pixel * 4 < data.length; pixel++) {
    const values = channelsOf(data, pixel * 4, count);
    for (let c = 0; c < count; c++) {
      const pick = (list) => list[list.length === count ? c : 0];
      let value = (values[c] - pick(picture.mean)) / pick(picture.std);
      if (datatype !== "FP32" && picture.scale) value = Math.round(value / picture.scale) + picture.zero;
      if (datatype === "INT8") value = Math.min(127, Math.max(-128, value));
      tensor[pixel * count + c] = value;
    }
  }
  return tensor;
}

async function infer(model, tensor) {
  const input = model.inputs[0];
  const {height, width, channels} = model.picture;
  const head = new TextEncoder().encode(JSON.stringify({
    inputs: [{
      name: input.name,
      datatype: input.datatype,
      shape: [1, height, width, channels],
      parameters: {binary_data_size: tensor.byteLength}
    }]
  }));
  return ask(`/v2/models/${encodeURIComponent(model.name)}/versions/${model.versions[0]}/infer`, {
    method: "POST",
    headers:
        {"Inference-Header-Content-Length": String(head.length), "Content-Type": "application/octet-stream"},
    body: new Blob([head, tensor])
  });
}

function showClasses(model, output) {
  const list = byId("classes");
  if (output.shape.length !== 2 || output.data.length < 2) {
    list.replaceChildren();
    return false;
  }
  const [scale, zero] = model.quantization[0];
  const scores =
      output.data.map((value) => scale && output.datatype !== "FP32" ? (value - zero) * scale : value);
  const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a]).slice(0, CLASSES);
  const least = Math.min(...scores, 0);
  const most = Math.max(scores[order[0]], 1);
  list.replaceChildren(...order.map((i) => {
    const line = element("li");
    const bar = element("progress");
    bar.max = most - least;
    bar.value = scores[i] - least;
    line.append(
        bar, element("span", scores[i].toFixed(4)), element("strong", model.labels[i] || `class ${i}`));
    return line;
  }));
  return true;
}

async function tryPicture() {
  const file = byId("file").files[0];
  const [name, version] = byId("model").value.split(/\/(?=[^/]*$)/);
  if (!file || !version) return;
  const told = byId("told");
  told.className = "";
  told.textContent = "…";
  try {
    if (!chosen || chosen.name !== name || chosen.versions[0] !== version) {
      chosen = await ask(`/page/model/${encodeURIComponent(name)}/${version}.json`);
    }
    const tensor = tensorOf(await draw(file, chosen.picture), chosen.picture, chosen.inputs[0].datatype);
    const began = performance.now();
    const answer = await infer(chosen, tensor);
    const took = (performance.now() - began).toFixed(1);
    const has = showClasses(chosen, answer.outputs[0]);
    const shapes =
        answer.outputs.map((output) => `${output.name} ${output.datatype} ${output.shape.join("×")}`);
    told.textContent = has ? `answered in ${took} ms` : `answered in ${took} ms: ${shapes.join(", ")}`;
  } catch (error) {
    byId("classes").replaceChildren();
    told.className = "bad";
    told.textContent =
        error.name === "InvalidStateError" ? "the file is no picture that this browser knows" : error.message;
  }
}

// ---- Start ----

byId("access").addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token").value.trim();
  look();
});
byId("model").addEventListener("change", tryPicture);
byId("file").addEventListener("change", tryPicture);
look();
setInterval(() => document.hidden || look(), EVERY);
