/**
 * Sends files with the real clients of others, in a real browser, to a server of its own, while a proxy breaks
 * connections and the server is killed again and again; prints what came of it. The same in short stands in
 * `tests/browser/upload-clients.spec.ts`.
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/chromium.ts'
import { type Ordeal, runOrdeal } from '#tests/uploads/ordeal.ts'
import { CLIENTS, openProvingGround } from '#tests/uploads/proving-ground.ts'

const USAGE = `node scripts/try-uploads.ts [--bytes 2000000000] [--kills 200] [--faults 0.1] [--client all|${CLIENTS.join('|')}]
                            [--seed <number>] [--minutes 40]`

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '2000000000' },
    kills: { type: 'string', default: '200' },
    faults: { type: 'string', default: '0.1' },
    client: { type: 'string', default: 'all' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '40' },
  },
})
const [bytes, kills, faultShare, seed, minutes] = [
  values.bytes,
  values.kills,
  values.faults,
  values.seed,
  values.minutes,
].map(Number) as [number, number, number, number, number]
const chosen = CLIENTS.filter((client) => values.client === 'all' || values.client === client)
if (chosen.length === 0 || [bytes, kills, faultShare, seed, minutes].some((value) => !(value >= 0))) {
  console.error(USAGE)
  process.exit(2)
}

setTimeout(() => {
  console.error(`Not done within ${minutes} minutes: given up. The seed was ${seed}.`)
  process.exit(1)
}, minutes * 60_000).unref()

const inMb = (count: number): string => `${(count / 1e6).toFixed(1)} MB`

function lineOf({ client, isSame, twiceBytes, lost, seconds, ...told }: Ordeal): string {
  const cells = [
    client.padEnd(13),
    inMb(told.bytes).padStart(9),
    (isSame ? 'the same' : 'NOT SAME').padEnd(8),
    String(told.kills).padStart(5),
    String(told.faults).padStart(6),
    inMb(twiceBytes).padStart(10),
    `${((100 * twiceBytes) / told.bytes).toFixed(1)} %`.padStart(7),
    String(told.begun).padStart(5),
    String(lost.length).padStart(4),
    String(told.byHand).padStart(7),
    `${seconds.toFixed(0)} s`.padStart(6),
  ]
  return `| ${cells.join(' | ')} |`
}

const HEAD = `| client        |      file | SHA-256  | kills | faults | sent twice |   of it | begun | lost | by hand |   time |
|---------------|----------:|----------|------:|-------:|-----------:|--------:|------:|-----:|--------:|-------:|`

const found = findChromium()
const browser = await chromium.launch(
  found && { executablePath: found.executablePath, args: [...CHROMIUM_FLAGS], env: { ...process.env, ...found.env } },
)
const ground = await openProvingGround(seed)
let ordeals: readonly Ordeal[] = []
try {
  ordeals = await runOrdeal(ground, { browser, clients: chosen, bytes, kills, seed, faultShare })
} finally {
  await ground.close()
  await browser.close()
}
console.log(`seed ${seed}\n\n${HEAD}\n${ordeals.map(lineOf).join('\n')}`)
process.exitCode = ordeals.every(({ isSame, lost }) => isSame && lost.length === 0) ? 0 : 1
