import { PANEL_SCRIPT_PATH } from '@manager/core/contract/constants';
import { emptyDataFolder } from '../dataset/database.ts';
import { startManager } from '../lib/processes.ts';
import { atMost, declareMeasure } from '../measure.ts';

export const panelFile = declareMeasure({
  name: 'panel-file',
  title: 'Panel file',
  how: 'the page and its script, as a manager sends them',
  figures: { raw: { unit: 'KB', bar: atMost(2_400) }, brotli: { unit: 'KB', bar: atMost(600) } },
  async run({ build }) {
    using data = emptyDataFolder();
    await using manager = await startManager(build, data);
    const size = async (encoding: string) => {
      const init = { headers: { 'Accept-Encoding': encoding }, decompress: false };
      const bytes = async (path: string) => (await (await manager.fetch(path, init)).arrayBuffer()).byteLength;
      return ((await bytes('/management.html')) + (await bytes(PANEL_SCRIPT_PATH))) / 1000;
    };
    return { figures: { raw: await size('identity'), brotli: await size('br') } };
  },
});
