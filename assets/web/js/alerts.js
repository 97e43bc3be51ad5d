// Alerts on every page: the banner is fetched again when the server sends an event that alerts have changed. Only a
// visible page holds a connection, since a browser limits the number for all its tabs.

export function followAlerts() {
  let alertSource = null;
  let alertDue = 0;

  async function refreshAlerts() {
    alertDue = 0;
    const answer = await fetch("/console/alerts/banner", { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("alert-region");
    const shown = document.getElementById("alert-region");
    if (fresh && shown) shown.replaceWith(fresh);
    else if (fresh) document.getElementById("main")?.prepend(fresh);
    else shown?.remove();
  }

  function listenForAlerts() {
    alertSource?.close();
    alertSource = null;
    if (document.visibilityState !== "visible") return;
    alertSource = new EventSource("/console/alerts/events");
    const later = () => { alertDue ||= setTimeout(() => refreshAlerts().catch(() => {}), 200); };
    alertSource.addEventListener("changed", later);
    alertSource.addEventListener("open", later); // changes before the connection were missed
  }

  addEventListener("load", () => setTimeout(listenForAlerts, 500));
  document.addEventListener("visibilitychange", listenForAlerts);
  addEventListener("pagehide", () => alertSource?.close());
}
