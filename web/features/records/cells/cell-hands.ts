import { MOST_AT_ONCE } from '#api/bulk.ts'
import type { RecordBody } from '#api/records.ts'
import { connectionState } from '#web/client/connection-state.ts'
import { deletedRecords } from '#web/client/deleted-records.ts'
import { delayAfterTries } from '#web/client/retry-delays.ts'
import { hasSignedOut, sessionState } from '#web/client/session-state.ts'
import { unsentChanges } from '#web/client/unsent-changes.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { numberSigns } from '#web/fields/number/typed-number.ts'
import { type CellBlock, countOf } from '#web/kit/grid/cell-range.ts'
import type { GridFill, GridPaste } from '#web/kit/grid/grid-editing.ts'
import type { Span } from '#web/kit/grid/row-window.ts'
import type { RecordLine } from '../record-line.ts'
import { createCarrier } from './carry-out.ts'
import type { CellChange } from './cell-change.ts'
import { clearing, filling, NOTHING_PLANNED, pasting } from './cell-deeds.ts'
import { type CellEdits, type CellFault, createCellEdits } from './cell-edits.ts'
import { forgetRefusal, tellCells, tellNothing, tellTooManyToCopy, tellTooManyToSelect } from './cell-words.ts'
import { type CellWorld, linesIn, type ListWorld, loadedLines, ordinalOf } from './cell-world.ts'
import { type CellWriter, createCellWriter, type WriterNeeds } from './cell-writer.ts'
import { copiesOf, copyOf } from './copy-records.ts'
import { nameFinder } from './find-names.ts'
import { createListUpkeep, type ListUpkeep } from './list-upkeep.ts'
import { localForms } from './local-text.ts'
import { readRecords, writeCells } from './write-cells.ts'

const FORMS = localForms(numberSigns())

/** What can be done to the cells of a collection's list. */
export type CellHands = ReturnType<typeof createCellHands>

/** The hands of a list. `listNow` gives the list as it is at the moment, for what lasts longer than one event. */
export function createCellHands(listNow: () => ListWorld) {
  const edits = createCellEdits()
  const worldNow = (): CellWorld => ({ ...listNow(), edits })
  watchOver(edits, `cells.${listNow().collection.id}`)
  const list = createListUpkeep(worldNow)
  const show = (fault: CellFault) => showCell(worldNow(), fault)
  const writer = writerOf(worldNow, list, show)
  const carrier = createCarrier({ worldNow, writer, list, show })
  return {
    edits,
    writer,
    list,
    edit: carrier.edit,
    /**
     * Cells of the list were changed beside it, in records of these versions; answers the way back. What bears the same name
     * in `together` is undone in one go.
     */
    changedElsewhere: (changes: readonly CellChange[], versions: ReadonlyMap<string, number>, together?: string) => {
      const step = writer.noteChanged(changes, versions, together)
      return async (): Promise<void> => writer.undoStep(step)
    },
    ...cellDeeds(worldNow, carrier),
    ...recordDeeds(worldNow, { carrier, writer, list }),
    undo: () => {
      forgetRefusal()
      if (!writer.undo()) tellNothing('undo')
    },
    redo: () => {
      forgetRefusal()
      if (!writer.redo()) tellNothing('redo')
    },
  }
}

/**
 * Tells how many edits wait, and asks before a tab is closed in which any do; what was just made is not shown any more once it
 * is deleted.
 */
function watchOver(edits: CellEdits, name: string): void {
  edits.subscribe(() => unsentChanges.tell(name, edits.waiting()))
  window.addEventListener('beforeunload', (event) => {
    if (edits.waiting() > 0) event.preventDefault()
  })
  deletedRecords.subscribe((ids) => edits.dropMade((id) => ids.has(id)))
}

type Carrier = ReturnType<typeof createCarrier>

/** Whoever edits first in a list is who its edits belong to. */
function writerOf(worldNow: () => CellWorld, list: ListUpkeep, show: (fault: CellFault) => void): CellWriter {
  const userId = sessionState.snapshot().user?.id
  const owner: WriterNeeds['owner'] = () => {
    const session = sessionState.snapshot()
    if (session.user) return session.user.id === userId ? 'here' : 'gone'
    // Whoever signs out leaves nothing behind.
    return hasSignedOut(session) ? 'gone' : 'away'
  }
  return createCellWriter(worldNow().edits, {
    fields: () => worldNow().collection.fields,
    write: (deed, versions) => writeCells(worldNow().collection.name, worldNow().collection.fields, deed, versions),
    read: (ids) => readRecords(worldNow().collection.name, ids),
    untilReachable,
    owner,
    untilOwner: () => untilBack(owner),
    tell: (told) => tellCells(told, show),
    onStored: list.onStored,
    now: () => new Date().toISOString(),
  })
}

/** Settles once it is decided whether whoever edits comes back. */
function untilBack(owner: WriterNeeds['owner']): Promise<void> {
  return new Promise((resolve) => {
    const judge = () => {
      if (owner() === 'away') return
      stop()
      resolve()
    }
    const stop = sessionState.subscribe(judge)
    judge()
  })
}

/** What is done to marked cells. */
function cellDeeds(worldNow: () => CellWorld, carrier: Carrier) {
  const reading = () => ({ find: nameFinder(worldNow().queryClient), forms: FORMS })
  return {
    paste: ({ texts, block, rowsBeyond }: GridPaste, isMaking: boolean) => {
      const newRows = isMaking ? texts.slice(texts.length - rowsBeyond) : []
      const wish = { texts, columnIds: block.columnIds, newRows }
      const pasteInto = (collection: KnownCollection): void =>
        void carrier.over('paste', block, (lines) => pasting(collection, { ...wish, lines }, reading()), pasteInto)
      pasteInto(worldNow().collection)
    },
    fill: ({ from, to, direction, how }: GridFill) =>
      void carrier.over('fill', to, async (lines) => {
        const given = { lines: await linesIn(worldNow(), from.rows), columnIds: from.columnIds }
        const cells = { from: given, to: { lines, columnIds: to.columnIds } }
        return filling(worldNow().collection, { direction, how }, cells, reading())
      }),
    clear: (block: CellBlock) =>
      void carrier.over('clear', block, (lines) => clearing(worldNow().collection, lines, block.columnIds)),
    /** Rows to copy that are not loaded; undefined where there are too many. */
    linesToCopy: async (rows: readonly Span[]): Promise<readonly RecordLine[] | undefined> => {
      const count = countOf(rows)
      return count > MOST_AT_ONCE ? tellTooManyToCopy(count) : linesIn(worldNow(), rows)
    },
    /** Rows to select that are not loaded; undefined where there are too many. */
    linesToSelect: async (rows: readonly Span[]): Promise<readonly RecordLine[] | undefined> => {
      const count = countOf(rows)
      return count > MOST_AT_ONCE ? tellTooManyToSelect(count) : linesIn(worldNow(), rows)
    },
    loadedLines: (rows: readonly Span[]) => loadedLines(worldNow(), rows),
  }
}

type Making = { readonly carrier: Carrier; readonly writer: CellWriter; readonly list: ListUpkeep }

/** What makes records. */
function recordDeeds(worldNow: () => CellWorld, { carrier, writer, list }: Making) {
  return {
    /** Makes the same records once more, below the list until it is read again. */
    duplicate: (lines: readonly RecordLine[]): Promise<void> =>
      copiesOf(worldNow().collection, lines).then(
        (make) => carrier.carryOut('duplicate', { ...NOTHING_PLANNED, make }, lines),
        (error: unknown) => carrier.fail('duplicate', error),
      ),
    /** A record was made elsewhere, for this list: it stands at its end, ready to be named. */
    made: (record: RecordBody) => {
      writer.noteMade([{ id: record.id, values: copyOf(worldNow().collection, record.values) }])
      void list.showMade([record.id], true)
    },
  }
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
