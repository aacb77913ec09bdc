import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { dayText, valueOnDay } from '#domain/views/dates/date-span.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { canBeSetInNew } from '#web/shared/fields/editable-cells.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import type { ListingProps, RecordActions } from '../view-kind.ts'
import { datesLabel } from './date-texts.ts'
import { changedDates, type DatedFields, TIME_ZONE } from './dated-records.ts'
import type { Moving } from './use-date-drag.ts'

/** A list whose records have dates. */
export type DatedList<Options> = ListingProps<Options> & { readonly fields: DatedFields }

export type DateActions = RecordActions & {
  readonly drop: (moving: Moving) => void
  /** A record that was moved into sight and isn't loaded there yet. */
  readonly dropped: RecordListItem | undefined
  /** Creates a record on a day, and at a minute of it; undefined if the user may not. */
  readonly createOn: ((day: number, minute?: number) => void) | undefined
}

const MOVED = 'date-moved'

type DateActionsInput = Pick<DatedList<never>, 'collection' | 'fields' | 'actions'>

export function useDateActions({ collection, fields, actions }: DateActionsInput): DateActions {
  const [dropped, setDropped] = useState<RecordListItem>()
  const queryClient = useQueryClient()
  const { start, end, kind } = fields

  const drop = async ({ row, dates, to, isUndated }: Moving): Promise<void> => {
    const { record } = row
    const changed = changedDates(fields, isUndated === true ? undefined : dates, to)
    const values = [start, ...(end ? [end] : [])].flatMap((field) =>
      Object.hasOwn(changed, field.name) ? [{ field, value: changed[field.name] }] : [],
    )
    setDropped(record)
    const result = await actions.change?.(record, values)
    if (result?.is === 'saved') {
      const said = { name: recordTitle(collection, record), date: datesLabel(kind, to) }
      const action = { label: t('Undo'), run: result.undo }
      notify.success(t('{name} moved to {date}.', said), { id: MOVED, action })
    }
    const queryKey = queryKeys.recordWindows(collection.name)
    await queryClient.refetchQueries({ queryKey, type: 'active' }, { cancelRefetch: false })
    setDropped((latest) => (latest === record ? undefined : latest))
  }

  const { create } = actions
  const createOn = (day: number, minute?: number): void => {
    const text = dayText(day)
    if (text !== undefined) create?.({ [start.name]: valueOnDay(kind, text, TIME_ZONE, minute) })
  }
  const mayCreate = create !== undefined && mayBeSet(collection, start)
  return { ...actions, drop: (moving) => void drop(moving), dropped, createOn: mayCreate ? createOn : undefined }
}

/** Whether a new record can have a value in the field. */
const mayBeSet = (collection: TypedCollection, field: Field): boolean =>
  (field.kind === 'date' || field.kind === 'date-time') && canBeSetInNew(collection, field)

/** Returns whether the key was used. */
export function runUndoKey(event: KeyboardEvent, { undo, redo }: RecordActions): boolean {
  if (!event.ctrlKey && !event.metaKey) return false
  const key = event.key.toLowerCase()
  if (key === 'z') (event.shiftKey ? redo : undo)()
  else if (key === 'y') redo()
  else return false
  event.preventDefault()
  return true
}
