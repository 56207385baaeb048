import { emptyDataFolder } from '../dataset/database.ts';
import { startManager } from '../lib/processes.ts';
import { atMost, declareMeasure } from '../measure.ts';

export const panelFile = declareMeasure({
  name: 'panel-file',
  title: 'Panel file',
  how: '`management.html` as it is sent',
  figures: { raw: { unit: 'KB', bar: atMost(2_400) }, brotli: { unit: 'KB', bar: atMost(600) } },
  async run({ build }) {
    using data = emptyDataFolder();
    await using manager = await startManager(build, data);
    const size = async (encoding: string) => {
      const init = { headers: { 'Accept-Encoding': encoding }, decompress: false };
      return (await (await manager.fetch('/management.html', init)).arrayBuffer()).byteLength / 1000;
    };
    return { figures: { raw: await size('identity'), brotli: await size('br') } };
  },
});
