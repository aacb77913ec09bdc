import { request } from 'node:http'
import { IMPORTED, MEMORY_IMPORTING, noPromise, searchFollows, WRITE_BESIDE_IMPORT } from '../report/budgets.ts'
import { importCsv } from '../setup/import-csv.ts'
import { metricsOfLatencies } from '../client/load.ts'
import { type Bench, restrictedViewer, allViewers, type Part, type Viewer } from '../measure.ts'
import { type Column, type Metrics, type Row, rowOf, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { watch } from './background-watch.ts'
import { newRecord } from './writes.ts'

const perSecond = (figure: number, note?: string): Single => ({ figure, unit: 'records/s', note })
const inMicros = (cpu: number | undefined): string | undefined =>
  cpu === undefined ? undefined : `cpu ${cpu.toFixed(0)} µs each`
const inMb = (figure: number | undefined): Single | undefined =>
  figure === undefined ? undefined : { figure, unit: 'MB' }

export const importPart: Part = {
  name: 'import',
  run: ({ stages, options }) => {
    const each = (of: (stage: Environment) => Single | undefined) =>
      new Map(stages.map((stage): [Column, Single | undefined] => [stage.dialect, of(stage)]))
    const withSearch = ({ filled }: Environment): Single => ({ figure: filled.searchFollowedAfterSeconds, unit: 's' })
    return Promise.resolve([
      rowOfSingles(
        IMPORTED,
        each(({ filled }) => perSecond(filled.recordsPerSecond, inMicros(filled.cpuMicros))),
      ),
      rowOfSingles(searchFollows(options.size), each(withSearch)),
      rowOfSingles(
        MEMORY_IMPORTING,
        each(({ filled }) => inMb(filled.highestMb)),
      ),
    ])
  },
}

const NEW_RECORDS = Array.from({ length: 500 }, (_, at) => newRecord(at))

async function writeBesideImport(bench: Bench, stage: Environment): Promise<Metrics> {
  const writer = await watch(restrictedViewer(bench, stage), NEW_RECORDS, 201)
  const startedAt = performance.now()
  const { port, tokens } = stage
  await importCsv({ port: port(), token: tokens().owner, collection: 'more', file: bench.files.more })
  const seconds = (performance.now() - startedAt) / 1000
  return metricsOfLatencies(await writer.end(), seconds)
}

/** Creates records during an import into another collection. */
export const duringImportPart: Part = {
  name: 'beside-import',
  run: async (bench): Promise<Row[]> => {
    const seen = new Map<Column, Metrics>()
    for (const stage of bench.stages) seen.set(stage.dialect, await writeBesideImport(bench, stage))
    const slowest = [...seen].map(([column, { max }]): [Column, Single] => [column, { figure: max, unit: 'ms' }])
    return [rowOfSingles(WRITE_BESIDE_IMPORT, new Map(slowest)), rowOf(noPromise('Create during an import', 1), seen)]
  },
}

type Exported = { readonly lines: number; readonly bytes: number; readonly seconds: number }

const LINE_BREAK = 10

/** Reads an export as a stream. */
function readExport({ port, token }: Viewer): Promise<Exported> {
  const startedAt = performance.now()
  const seen = { lines: 0, bytes: 0 }
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const asking = request(
      { port, host: '127.0.0.1', path: '/api/collections/items/export.csv', headers },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`The export was answered ${answer.statusCode}.`))
        answer.on('data', (piece: Buffer) => {
          seen.bytes += piece.length
          for (let at = piece.indexOf(LINE_BREAK); at !== -1; at = piece.indexOf(LINE_BREAK, at + 1)) seen.lines += 1
        })
        answer.on('error', reject)
        answer.on('end', () => resolve({ ...seen, seconds: (performance.now() - startedAt) / 1000 }))
      },
    )
    asking.on('error', reject)
    asking.end()
  })
}

/** Exports everything that a restricted user can see, as CSV. */
export const exportPart: Part = {
  name: 'export',
  run: async (bench): Promise<Row[]> => {
    const rates = new Map<Column, Single>()
    const memory = new Map<Column, Single | undefined>()
    for (const viewer of bench.stages.flatMap((stage) => allViewers(bench, stage))) {
      viewer.stage.highestMb()
      const { lines, bytes, seconds } = await readExport(viewer)
      rates.set(viewer.column, perSecond(lines / seconds, `${(bytes / seconds / 1e6).toFixed(1)} MB/s`))
      memory.set(viewer.column, inMb(viewer.stage.highestMb()?.lately))
    }
    return [
      rowOfSingles(noPromise('CSV export of all readable records'), rates),
      rowOfSingles(noPromise('Peak memory during the export'), memory),
    ]
  },
}
