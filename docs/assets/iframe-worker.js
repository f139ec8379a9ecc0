// The site's search runs in a worker, and browsers start none for a page opened as a file.
// Where the address is file://, a hidden frame takes the worker's place.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc =
        "<script>postMessage = data => parent.postMessage(data, '*')</script>" +
        `<script src="${url}"></script>`;
      this.frame.addEventListener("load", () => {
        this.loaded = true;
        this.waiting.forEach(data => this.deliver(data));
      });
      window.addEventListener("message", event => {
        if (event.source === this.frame.contentWindow) {
          this.dispatchEvent(new MessageEvent("message", { data: event.data }));
        }
      });
      document.body.append(this.frame);
    }

    postMessage(data) {
      if (this.loaded) this.deliver(data);
      else this.waiting.push(data);
    }

    deliver(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
