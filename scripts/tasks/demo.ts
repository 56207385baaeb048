import { openInBrowser } from '../lib/browser.ts';
import { buildPanel } from '../lib/build.ts';
import { ADMIN_KEY, MANAGEMENT_KEY, startDemoSite } from '../lib/demo-site.ts';

// `npm run demo`: the real server and a simulated gateway with traffic. Nothing is kept.
buildPanel();
const site = await startDemoSite();
void site.managerUrl.then((url) => {
  const page = `${url}/management.html`;
  console.log(`
  Panel:      ${page}
  Admin key:  ${ADMIN_KEY}

  Without manager:  ${site.simulator.url}/management.html
  Management key:   ${MANAGEMENT_KEY}

  A simulated gateway sends requests. Ctrl-C ends the demo; nothing is kept.
`);
  openInBrowser(page);
});
process.exit(await site.ended);
