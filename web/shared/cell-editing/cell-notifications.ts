import { MAX_AT_ONCE } from '#api/bulk.ts'
import { countOf } from '#web/shared/formatting/format-value.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordCellError } from './store/cell-edits.ts'
import type { OperationName, WriterNotification } from './save/cell-writer.ts'

const cells = (count: number): string => plural(count, '{n} cell', '{n} cells')
const records = (count: number): string => plural(count, '{n} record', '{n} records')

/** Shared ID, so that all cell notifications use one toast. */
const DONE = 'cells-done'
const REJECTED = 'cells-refused'
const WAITING = 'cells-waiting'

const NOTHING_DONE: { readonly [Name in OperationName]: string } = {
  edit: t('Couldn’t save the change'),
  paste: t('Couldn’t paste'),
  fill: t('Couldn’t fill cells'),
  clear: t('Couldn’t clear cells'),
  make: t('Couldn’t create the record'),
  duplicate: t('Couldn’t duplicate'),
  undo: t('Couldn’t undo'),
  redo: t('Couldn’t redo'),
}

const WAITING_FOR = {
  server: t('Can’t reach the server. Keep this tab open: your changes will be saved when the connection is back.'),
  'sign-in': t('Your session has ended. Keep this tab open: your changes will be saved after you sign in again.'),
} as const

/** `onShow` scrolls to a cell. */
export function notifyCellChange(reported: WriterNotification, onShow: (fault: RecordCellError) => void): void {
  switch (reported.is) {
    case 'waiting':
      notify.warning(t('Your changes aren’t saved yet'), {
        id: WAITING,
        detail: WAITING_FOR[reported.for],
        stays: true,
        isAboutWorkspace: true,
      })
      return
    case 'back':
      notify.dismiss(WAITING)
      notify.success(t('Your changes have been saved'), { id: DONE })
      return
    case 'done':
      return notifyDone(reported)
    case 'refused':
      notify.dismiss(WAITING)
      return notifyRejected(reported, onShow)
  }
}

function notifyDone({ name, operation, left }: Extract<WriterNotification, { is: 'done' }>): void {
  const text = describeDone(name, {
    cells: operation.changes.length,
    made: operation.make.length,
    removed: operation.remove.length,
  })
  if (text === undefined && left === 0) return
  const detail =
    left > 0 ? t('Left unchanged because of newer edits by someone else: {cells}.', { cells: cells(left) }) : undefined
  notify.success(text ?? t('Done'), { id: DONE, ...(detail && { detail, stays: true }) })
}

type Counts = { readonly cells: number; readonly made: number; readonly removed: number }

/** Undefined if the change is obvious to the user. */
function describeDone(name: OperationName, { cells: changed, made, removed }: Counts): string | undefined {
  const parts = [
    ...(changed > 0 ? [cells(changed)] : []),
    ...(made > 0 ? [countOf(made, t('new record'), t('new records'))] : []),
    ...(removed > 0 ? [records(removed)] : []),
  ]
  const what = parts.join(', ')
  switch (name) {
    case 'edit':
    case 'make':
      return undefined
    case 'paste':
      return changed + made > 1 ? t('Pasted {what}', { what }) : undefined
    case 'fill':
      return changed > 1 ? t('Filled {what}', { what }) : undefined
    case 'clear':
      return changed > 1 ? t('Cleared {what}', { what }) : undefined
    case 'duplicate':
      return plural(made, 'Record duplicated', 'Duplicated {records}', { records: records(made) })
    case 'undo':
      return what === '' ? t('Nothing left to undo') : t('Undone: {what}', { what })
    case 'redo':
      return what === '' ? t('Nothing left to redo') : t('Redone: {what}', { what })
  }
}

type RejectedNotice = {
  readonly name: OperationName
  readonly detail: string
  readonly faults: readonly RecordCellError[]
  /** An action shown instead of the link to the first cell. */
  readonly offer?: { readonly label: string; readonly run: () => void }
}

export function notifyRejected(
  { name, detail, faults, offer }: RejectedNotice,
  onShow: (fault: RecordCellError) => void,
): void {
  const first = faults.find(({ record, field }) => record !== '' && field !== '')
  const way = offer ?? (first && { label: t('Show'), run: () => onShow(first) })
  const run = (): void => {
    notify.dismiss(REJECTED)
    way?.run()
  }
  notify.error(NOTHING_DONE[name], { id: REJECTED, detail, ...(way && { action: { label: way.label, run } }) })
}

/** Dismisses the last error when the user makes another change. */
export const dismissRejection = (): void => notify.dismiss(REJECTED)

export function notifySkipped(leftOut: number, changed: number): void {
  const detail = t('They are read-only or required.')
  if (changed === 0) notify.info(t('These cells can’t be edited here'), { id: DONE })
  else
    notify.info(t('{cells} skipped', { cells: cells(leftOut) }), {
      id: `${DONE}-left`,
      detail,
    })
}

export function notifyTooMany(name: OperationName, count: number): void {
  notifyRejected(
    {
      name,
      detail: t('This would change {records}, but the limit is {mostAtOnce} at a time. Select fewer.', {
        records: records(count),
        mostAtOnce: MAX_AT_ONCE,
      }),
      faults: [],
    },
    () => undefined,
  )
}

export const notifyNothingToDo = (name: 'undo' | 'redo'): void =>
  void notify.info(name === 'undo' ? t('Nothing to undo') : t('Nothing to redo'))

export function notifyTooManyToCopy(count: number): undefined {
  const detail = t(
    'The selection covers {records}, but the limit is {mostAtOnce} at a time. Export the list instead.',
    {
      records: records(count),
      mostAtOnce: MAX_AT_ONCE,
    },
  )
  notify.error(t('Couldn’t copy'), { id: REJECTED, detail })
  return undefined
}

export function notifyTooManyToSelect(count: number): undefined {
  const detail = t(
    'This range contains {records}, but you can select only {mostAtOnce} individually. Select all matching records instead.',
    {
      records: records(count),
      mostAtOnce: MAX_AT_ONCE,
    },
  )
  notify.error(t('Couldn’t select records'), { id: REJECTED, detail })
  return undefined
}
