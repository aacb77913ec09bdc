import type { RecordBody, RecordLineBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { connectionState } from '#web/client/connection-state.ts'
import { failureText } from '#web/client/problem-text.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { delayAfterTries } from '#web/client/retry-delays.ts'
import { sessionState } from '#web/client/session-state.ts'
import { numberSigns } from '#web/fields/number/typed-number.ts'
import { MOST_AT_ONCE } from '#api/bulk.ts'
import { type CellBlock, countOf } from '#web/kit/grid/cell-range.ts'
import type { GridFill, GridPaste } from '#web/kit/grid/grid-editing.ts'
import { rowAt } from '#web/kit/grid/grid-source.ts'
import type { Span } from '#web/kit/grid/row-window.ts'
import type { RecordLine } from '../record-line.ts'
import { forgetLists } from '../record-queries.ts'
import { ruleJudge } from '../rule-judge.ts'
import type { CellFault } from './cell-edits.ts'
import { changeOf, clearing, filling, NOTHING_PLANNED, type Planned, pasting } from './cell-deeds.ts'
import { type CellWorld, linesIn, loadedLines, ordinalOf, touchesListing } from './cell-world.ts'
import { forgetRefusal, tellCells, tellLeftOut, tellNothing, tellRefused, tellTooManyToCopy, tellTooMuch } from './cell-words.ts'
import { createCellWriter, type DeedName } from './cell-writer.ts'
import { cellText } from './copy-values.ts'
import { copiesOf, copyOf } from './copy-records.ts'
import { nameFinder } from './find-names.ts'
import { takeFiles } from './take-files.ts'
import { ruleFaults, valueFault, valueFaults } from './judge-cells.ts'
import { localForms } from './local-text.ts'
import { type Deed, isTooMuch, readRecords, recordsIn, writeCells } from './write-cells.ts'

const SIGNS = numberSigns()
const FORMS = localForms(SIGNS)

/** More records than these are not read one by one after they were made: the list is read again instead. */
const MOST_READ = 100

/** What can be done to the cells of a collection's list. */
export type CellHands = ReturnType<typeof createCellHands>

/** The hands of a list. `worldNow` gives the list as it is at the moment, for what lasts longer than one event. */
export function createCellHands(worldNow: () => CellWorld) {
  const userId = sessionState.snapshot().user?.id
  const list = createListUpkeep(worldNow)
  const show = (fault: CellFault) => showCell(worldNow(), fault)
  const writer = createCellWriter(worldNow().edits, {
    fields: () => worldNow().collection.fields,
    write: (deed, versions) => writeCells(worldNow().collection.name, worldNow().collection.fields, deed, versions),
    read: (ids) => readRecords(worldNow().collection.name, ids),
    untilReachable,
    isStillMine: () => sessionState.snapshot().user?.id === userId,
    tell: (told) => tellCells(told, show),
    onStored: list.onStored,
    now: () => new Date().toISOString(),
  })
  const reading = () => ({ find: nameFinder(worldNow().queryClient), forms: FORMS })

  /** Carries out what was planned, unless something is in the way of it. */
  const carryOut = (name: DeedName, plan: Planned, lines: readonly RecordLine[]): void => {
    forgetRefusal()
    const { collection, edits } = worldNow()
    const deed: Deed = { changes: plan.changes, make: plan.make, remove: [] }
    const faults = [...plan.faults, ...valueFaults(collection, plan.changes), ...brokenRules(worldNow(), plan, lines)]
    if (faults.length > 0) {
      edits.unmark()
      edits.mark(faults.filter(({ record }) => record !== ''))
      return tellRefused({ name, detail: refusalText(worldNow(), plan, faults), faults }, show)
    }
    if (recordsIn(deed) === 0) return plan.leftOut > 0 ? tellLeftOut(plan.leftOut, 0) : undefined
    if (isTooMuch(deed)) return tellTooMuch(name, recordsIn(deed))
    if (plan.leftOut > 0) tellLeftOut(plan.leftOut, plan.changes.length)
    list.begin(deed)
    void writer.act(name, deed, new Map(lines.map(({ record }) => [record.id, record.version])))
  }
  /** Plans over lines that may have to be read first. */
  const over = async (
    name: DeedName,
    block: CellBlock,
    plan: (lines: readonly RecordLine[]) => Promise<Planned> | Planned,
  ) => {
    const deed = { changes: [], make: [], remove: [] }
    if (isTooMuch({ ...deed, remove: Array.from({ length: block.rowCount }, () => '') }))
      return tellTooMuch(name, block.rowCount)
    try {
      const lines = await linesIn(worldNow(), block.rows)
      carryOut(name, await plan(lines), lines)
    } catch (error) {
      tellRefused({ name, detail: failureText(error).detail, faults: [] }, show)
    }
  }

  /** Gives a cell a value; says what is wrong with it, where it is not taken. */
  const edit = (line: RecordLine, field: Field, value: unknown): string | undefined => {
    const change = changeOf(line, field, value)
    if (!change) return undefined
    const plan: Planned = { ...NOTHING_PLANNED, changes: [change] }
    const fault = valueFault(field, value) ?? brokenRules(worldNow(), plan, [line])[0]?.message
    if (fault === undefined) carryOut('edit', plan, [line])
    return fault
  }

  return {
    writer,
    list,
    textOf: (field: Field, line: RecordLine): string => cellText(field, line.record.values[field.name], SIGNS.decimal),
    edit,
    paste: ({ texts, block, rowsBeyond }: GridPaste, isMaking: boolean) => {
      const newRows = isMaking ? texts.slice(texts.length - rowsBeyond) : []
      const { columnIds } = block
      const wish = { texts, columnIds, newRows }
      void over('paste', block, (lines) => pasting(worldNow().collection, { ...wish, lines }, reading()))
    },
    fill: ({ from, to, direction, how }: GridFill) =>
      void over('fill', to, async (lines) => {
        const given = { lines: await linesIn(worldNow(), from.rows), columnIds: from.columnIds }
        const cells = { from: given, to: { lines, columnIds: to.columnIds } }
        return filling(worldNow().collection, { direction, how }, cells, reading())
      }),
    clear: (block: CellBlock) =>
      void over('clear', block, (lines) => clearing(worldNow().collection, lines, block.columnIds)),
    undo: () => {
      forgetRefusal()
      if (!writer.undo()) tellNothing('undo')
    },
    redo: () => {
      forgetRefusal()
      if (!writer.redo()) tellNothing('redo')
    },
    /** Makes the same records once more, below the list until it is read again. */
    duplicate: async (lines: readonly RecordLine[]): Promise<void> => {
      const { collection } = worldNow()
      try {
        const make = await copiesOf(collection, lines)
        carryOut('duplicate', { ...NOTHING_PLANNED, make }, lines)
      } catch (error) {
        tellRefused({ name: 'duplicate', detail: failureText(error).detail, faults: [] }, show)
      }
    },
    /** A record was made elsewhere, for this list: it stands at its end, ready to be named. */
    made: (record: RecordBody) => {
      writer.noteMade([{ id: record.id, values: copyOf(worldNow().collection, record.values) }])
      void list.showMade([record.id], true)
    },
    /** Sends files into a cell. */
    takeFiles: (line: RecordLine, field: Field<'files'>, files: readonly File[]) => {
      const { collection } = worldNow()
      const lineNow = () => {
        const ordinal = ordinalOf(worldNow(), line.record.id)
        const latest = (ordinal === undefined ? undefined : rowAt(worldNow().source, ordinal)) ?? line
        // Two files may arrive before the list is drawn again.
        return { ...latest, record: worldNow().edits.over(latest.record)?.record ?? latest.record }
      }
      const keep = (at: RecordLine, value: unknown) => edit(at, field, value)
      void takeFiles({ collection: collection.name, field, lineNow, keep }, files)
    },
    /** Rows to copy that are not loaded; undefined where there are too many. */
    linesToCopy: async (rows: readonly Span[]): Promise<readonly RecordLine[] | undefined> => {
      const count = countOf(rows)
      if (count > MOST_AT_ONCE) return tellTooManyToCopy(count)
      return linesIn(worldNow(), rows)
    },
    loadedLines: (rows: readonly Span[]) => loadedLines(worldNow(), rows),
  }
}

function brokenRules(world: CellWorld, plan: Planned, lines: readonly RecordLine[]): readonly CellFault[] {
  const { collection } = world
  if (!collection.rules?.length || plan.changes.length === 0) return []
  return ruleFaults(ruleJudge(collection), plan.changes, lines)
}

function refusalText({ collection }: CellWorld, { firstFault }: Planned, faults: readonly CellFault[]): string {
  const [first] = faults
  const label = collection.fields.find(({ name }) => name === first?.field)?.label
  const said = firstFault ?? (label === undefined ? (first?.message ?? '') : `${label}: ${first?.message}`)
  return faults.length > 1 ? `${said} ${faults.length - 1} more cells are marked.` : said
}

function showCell(world: CellWorld, { record, field }: CellFault): void {
  const ordinal = ordinalOf(world, record)
  const column = world.collection.fields.find(({ name }) => name === field)?.id
  if (ordinal !== undefined) world.grid()?.goTo(ordinal, column)
}

/** Settles once the server can be reached again, or when it is time to try all the same. */
function untilReachable(tries: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(go, delayAfterTries(tries))
    const stop = connectionState.subscribe(() => connectionState.isReachable() && go())
  })
}

/**
 * Keeps the list in step with what is edited in it: a record that no longer fits its filter or its place stays until one
 * leaves its row; then the list is read again.
 */
function createListUpkeep(worldNow: () => CellWorld) {
  let isStale = false
  let hasLeft = false
  let line: string | undefined

  const refresh = async (): Promise<void> => {
    if (!isStale || !hasLeft || worldNow().edits.isWaiting()) return
    isStale = false
    const { queryClient, collection, edits } = worldNow()
    const stood = edits.snapshot().made
    forgetLists(queryClient, collection.name)
    await queryClient.refetchQueries({ queryKey: queryKeys.records(collection.name), type: 'active' })
    edits.dropMade((id) => stood.some((made) => made.id === id))
  }
  /** Reads records that were just made, and shows them below the list. */
  const showMade = async (ids: readonly string[], isFirstEdited = false): Promise<void> => {
    const { collection, edits } = worldNow()
    isStale = true
    const records: readonly RecordLineBody[] =
      ids.length > MOST_READ ? [] : await readRecords(collection.name, ids).catch(() => [])
    if (records.length === 0) {
      hasLeft = true
      return refresh()
    }
    hasLeft = false
    edits.learn(records)
    edits.addMade(ids.flatMap((id) => records.find((record) => record.id === id) ?? []))
    const [first] = records
    if (first) requestAnimationFrame(() => requestAnimationFrame(() => goToMade(worldNow(), first.id, isFirstEdited)))
  }
  return {
    refresh,
    showMade,
    begin: ({ changes, make }: Deed) => {
      hasLeft = false
      const fields = [...new Set(changes.map(({ field }) => field))]
      if (make.length > 0 || touchesListing(worldNow().listing, fields)) isStale = true
    },
    /** The keyboard is in another row, or beside the list. */
    wentTo: (place: string | undefined) => {
      const isElsewhere = place !== line
      line = place
      if (!isElsewhere) return
      hasLeft = true
      void refresh()
    },
    onStored: ({ changes, remove }: Deed, created: readonly string[]) => {
      const { queryClient, collection } = worldNow()
      const all = queryKeys.records(collection.name)
      const isShown = (part: unknown) => part === 'list' || part === 'groups'
      const changed = new Set(changes.map(({ record }) => record))
      // What is in sight is in step already; it is read again when it is shown the next time.
      void queryClient.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => isShown(queryKey[2]), refetchType: 'none' })
      void queryClient.invalidateQueries({
        queryKey: all,
        predicate: ({ queryKey }) =>
          queryKey[2] === 'one' ? changed.has(String(queryKey[3])) : !isShown(queryKey[2]),
      })
      if (remove.length > 0) {
        isStale = true
        hasLeft = true
      }
      if (created.length > 0) void showMade(created)
      else void refresh()
    },
  }
}

function goToMade(world: CellWorld, record: string, isEdited: boolean): void {
  const ordinal = ordinalOf(world, record)
  const title = world.collection.fields.find(({ name }) => name === world.collection.titleField)?.id
  if (ordinal === undefined) return
  if (!isEdited || title === undefined || !world.grid()?.edit(ordinal, title)) world.grid()?.goTo(ordinal, title)
}

