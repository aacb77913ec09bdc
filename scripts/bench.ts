/** `npm run bench`: the budgets of Dossier, measured on this machine, beside the figures of its peers; one table. */
import { cpus, loadavg, totalmem } from 'node:os'
import { readOptions, USAGE } from './bench/bench-options.ts'
import { DIRECT_FILL } from './bench/budgets.ts'
import { type Line, lineOfFigure } from './bench/line.ts'
import type { Measurement } from './bench/measure.ts'
import {
  besideHeavyMeasurement,
  deepMeasurement,
  filterMeasurement,
  groupMeasurement,
  searchMeasurement,
  sortMeasurement,
} from './bench/measurements/queries.ts'
import { signInMeasurement } from './bench/measurements/sign-in.ts'
import { pageMeasurement, readMeasurement } from './bench/measurements/small-reads.ts'
import { loadedMeasurement, startMeasurement } from './bench/measurements/start-and-memory.ts'
import { webMeasurement } from './bench/measurements/web-weight.ts'
import { createMeasurement, updateMeasurement } from './bench/measurements/writes.ts'
import { tableOf } from './bench/print-table.ts'
import { openStage, type Stage } from './bench/stage.ts'

/** In this order: starts first, because they restart the server; what changes records behind what counts them. */
const MEASUREMENTS: readonly Measurement[] = [
  webMeasurement,
  startMeasurement,
  readMeasurement,
  pageMeasurement,
  sortMeasurement,
  filterMeasurement,
  searchMeasurement,
  deepMeasurement,
  groupMeasurement,
  besideHeavyMeasurement,
  createMeasurement,
  updateMeasurement,
  signInMeasurement,
  loadedMeasurement,
]

/** One subject; what fails in it is a line of its own, and the others go on. */
async function runMeasurement({ name, run }: Measurement, stage: Stage): Promise<Line[]> {
  process.stderr.write(`measuring ${name} …\n`)
  try {
    return await run(stage)
  } catch (error) {
    const ours = `FAILED: ${error instanceof Error ? error.message : String(error)}`
    return [{ what: name, budget: '', ours, peers: '', verdict: 'OVER' }]
  }
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  return `${cpus().length} × ${model}, ${gigabytes} GB, Node ${process.versions.node}, load before the start ${load}`
}

async function bench(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const { size, dialect, only = '' } = options
  console.log(`${size.toLocaleString('en')} records on ${dialect}; ${describeMachine()}\n`)
  const chosen = MEASUREMENTS.filter(({ name }) => name.includes(only))
  process.stderr.write('filling …\n')
  const stage = await openStage(options)
  try {
    const lines = [lineOfFigure(DIRECT_FILL, stage.filled.recordsPerSecond, 'records/s')]
    for (const measurement of chosen) lines.push(...(await runMeasurement(measurement, stage)))
    console.log(tableOf(lines))
    console.log(`\ncpu: of the server process alone, for one request. Load at the end: ${loadavg()[0]?.toFixed(1)}`)
  } finally {
    await stage.close()
  }
}

// Ending by `exit` lets those who started a server or a database end it with us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await bench()
