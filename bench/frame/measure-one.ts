// The fresh process of one (variant, round): bench URL, variant and conditions come as arguments, the sample goes back.
import { loadBench } from './find-benches.js';

const [url = '', name = '', conditions = '{}'] = process.argv.slice(2);
const variant = (await loadBench(url)).variants[name];
if (!variant) throw new Error(`${url} has no variant ${name}`);
const sample = await variant(JSON.parse(conditions));
process.send?.(sample, () => process.disconnect());
