import { setTimeout as pause } from 'node:timers/promises'
import { fetchJson, get, itemsOf, listPath, RECORDS, sendAs } from '../client/requests.ts'
import { measureQuestion, type Part, restrictedViewer } from '../measure.ts'
import {
  ACTIVITY_PAGE,
  AS_OF,
  AS_OF_COUNTED,
  HISTORY_PAGE,
  IMPORT_UNDONE,
  WRITE_BESIDE_UNDO,
} from '../report/budgets.ts'
import { type Column, type Row, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { addEdits } from '../setup/log-entries.ts'
import { later, watch } from './background-watch.ts'
import type { Send } from '../setup/create-users.ts'
import { newRecord } from './writes.ts'

const CHANGED = 10_000
const AT_ONCE = 500

const asOwner = (stage: Environment) => sendAs(stage.port(), stage.tokens().owner)

/** Changes many records spread over the list, and returns the time before. */
async function changeSome(stage: Environment, records: number): Promise<string> {
  const send = asOwner(stage)
  const before = new Date().toISOString()
  const pages = Math.max(1, Math.floor(records / AT_ONCE))
  const wanted = Math.min(pages, CHANGED / AT_ONCE)
  for (let at = 0; at < wanted; at += 1) {
    const page = String(1 + Math.floor((pages * at) / wanted))
    const listed = await send('GET', listPath({ page, perPage: String(AT_ONCE), count: 'none', fields: '' }))
    const update = itemsOf(listed).map(({ id }, place) => ({ id, values: { amount: 20_000 + at + place / 4 } }))
    await send('POST', `${RECORDS}/bulk`, { update })
  }
  return before
}

/** The history of records, the activity, and the list as it was before ten thousand records were changed. */
export const historyPart: Part = {
  name: 'history',
  run: async (bench) => {
    const { size, edits } = bench.options
    const before = new Map<Environment, string>()
    for (const stage of bench.stages) if (edits > 0) await stage.whileStopped((paths) => addEdits(paths, edits))
    for (const stage of bench.stages) before.set(stage, await changeSome(stage, size))
    const pageThen =
      (count: string) =>
      ({ stage }: { readonly stage: Environment }) => [get(listPath({ count, at: before.get(stage) ?? '' }))]
    return [
      await measureQuestion(bench, {
        budget: HISTORY_PAGE,
        ours: ({ stage }) => stage.someRecords.map((id) => get(`${RECORDS}/${id}/history`)),
      }),
      await measureQuestion(bench, { budget: ACTIVITY_PAGE, ours: () => [get('/api/activity')] }),
      await measureQuestion(bench, { budget: AS_OF, ours: pageThen('none') }),
      await measureQuestion(bench, { budget: AS_OF_COUNTED, ours: pageThen('exact') }),
    ]
  },
}

/** How long writes are measured without the undo. */
const BEFORE_MS = 5000
const LOOK_EVERY_MS = 200
const NEW_RECORDS = Array.from({ length: 500 }, (_, at) => newRecord(at))

type Undone = { readonly seconds: number; readonly write: Single; readonly note: string }

/** The change set of the import. A page of the activity can be empty although there are older entries. */
async function importOf(send: Send): Promise<string> {
  const path = '/api/activity?collection=items&kind=records-imported'
  for (let before = ''; ; ) {
    const page = await send('GET', `${path}${before}`)
    const [imported] = itemsOf(page)
    const { next } = page
    if (imported) return String(imported['id'])
    if (typeof next !== 'string') throw new Error('The activity doesn’t list the import.')
    before = `&before=${next}`
  }
}

async function undoImport(stage: Environment, token: string, beforeMs: number): Promise<Undone> {
  const send = asOwner(stage)
  const imported = await importOf(send)
  const begin = () => watch({ port: stage.port(), token }, NEW_RECORDS, 201)
  const writerBefore = await begin()
  await pause(beforeMs)
  const before = await writerBefore.end()
  const writer = await begin()
  stage.highestMb()
  const startedAt = performance.now()
  const { job } = await send('POST', `/api/change-sets/${imported}/undo`)
  const read = () => fetchJson(stage.port(), { ...get(`/api/jobs/${String(job)}`), token: stage.tokens().owner })
  let outcome = await read()
  let begun: number | undefined
  while (outcome['state'] === 'running') {
    await pause(LOOK_EVERY_MS)
    outcome = await read()
    if (Number(outcome['done']) >= Number(outcome['total']) / 4) begun ??= stage.highestMb()?.lately
  }
  const seconds = (performance.now() - startedAt) / 1000
  const write = later(before, await writer.end())
  const memory = `${begun ?? 0} MB in the first quarter, then ${stage.highestMb()?.lately ?? 0} MB`
  const note = `${String(outcome['done'])} records, ${String(outcome['state'])}, ${memory}`
  return { seconds, write, note }
}

/** Undoes the import of all records while others are created. */
export const undoImportPart: Part = {
  name: 'undo-import',
  run: async (bench): Promise<Row[]> => {
    const seconds = new Map<Column, Single>()
    const slowest = new Map<Column, Single>()
    for (const stage of bench.stages) {
      const undone = await undoImport(
        stage,
        restrictedViewer(bench, stage).token,
        bench.options.isQuick ? 500 : BEFORE_MS,
      )
      seconds.set(stage.dialect, { figure: undone.seconds, unit: 's', note: undone.note })
      slowest.set(stage.dialect, undone.write)
    }
    return [rowOfSingles(IMPORT_UNDONE, seconds), rowOfSingles(WRITE_BESIDE_UNDO, slowest)]
  },
}
