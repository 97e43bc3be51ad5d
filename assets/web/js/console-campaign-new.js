// While a campaign's calls are booked, the button's page shows how many there are: the campaign can be seen before its
// booking has ended.
import "./console-players.js";

const form = document.getElementById("check");
const booking = form?.querySelector(".booking");

async function look() {
  const answer = await fetch(`/console/campaigns/${form.dataset.campaign}`, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const booked = Number(page.getElementById("progress")?.dataset.total ?? 0);
  booking.querySelector("progress").value = booked;
  booking.querySelector("span").textContent = `${form.dataset.booking.replace("{count}", booked)} / ${form.dataset.total}`;
}

form?.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return;
  booking.hidden = false;
  setInterval(() => look().catch(() => {}), 700);
});
