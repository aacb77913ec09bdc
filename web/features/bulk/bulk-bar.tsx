import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridTotal } from '#web/ui/grid/grid-props.ts'
import { SelectionBar } from '#web/ui/grid/selection/selection-bar.tsx'
import { type GridSelection, NOTHING_SELECTED } from '#web/ui/grid/selection/selection.ts'
import { IconDownload } from '#web/ui/icons/general.ts'
import { IconArrowRight, IconPencil } from '#web/ui/icons/later.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { type Listing, keepPreviousPage, listingParams } from '#web/data/queries/record-list-queries.ts'
import { bulkFields } from './bulk-edit.ts'
import { DeleteSelected } from './delete-selected.tsx'
import {
  type SelectedRecords,
  countOfSelected,
  isTooManySelected,
  whereOf,
} from '#web/shared/bulk-operations/selected-records.ts'
import { MAX_SHOWN_IDS, useShowRecords, useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { countBulk } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import type { NoteRequirement } from '#domain/workflow/workflow.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { CommentForm } from '#web/shared/workflow/comment-form.tsx'
import { type SkippedRecords, countSkipped, describeSkipped, records } from '#web/shared/bulk-operations/user-jobs.ts'
import { sendBulk, skippedIn } from '#web/shared/bulk-operations/send-bulk.ts'

let numbered = 0
const numbers = new WeakMap<ReadonlySet<string>, number>()

/** Returns a number that identifies a set of IDs, to avoid comparing thousands of IDs. */
function numberOf(ids: ReadonlySet<string>): number {
  const number = numbers.get(ids) ?? (numbered += 1)
  numbers.set(ids, number)
  return number
}

/**
 * The number of selected records that are missing from the list because they are filtered out or deleted; 0 while
 * unknown.
 */
function useOutOfView(
  collection: string,
  { listing, selection }: Pick<SelectedRecords, 'listing' | 'selection'>,
): number {
  const { filter, search } = listing
  const { ids, mode } = selection
  const isSeen = useUser()?.view_as?.is_on === true
  const { data } = useQuery({
    queryKey: queryKeys.recordList(collection, { filter, search, selected: numberOf(ids) }),
    queryFn: async ({ signal }) => {
      const where = { ...listingParams({ filter, search, sort: '' }), only: [...ids] }
      const { count } = await call(countBulk, { params: { collection }, body: { where }, signal })
      return { outOfView: Math.max(0, ids.size - count) }
    },
    placeholderData: keepPreviousPage(collection),
    // Disabled during impersonation, when only GET requests are allowed.
    enabled: !isSeen && mode === 'these' && ids.size > 0 && !isTooManySelected({ selection }),
  })
  return mode === 'these' ? Math.min(ids.size, data?.outOfView ?? 0) : 0
}

export type BulkBarProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly look: ListSettings
  readonly selection: GridSelection
  readonly total: GridTotal
  readonly onSelection: (selection: GridSelection) => void
}

const editing = lazyModule(() => import('./edit-dialog.tsx'))
const exporting = lazyModule(() => import('./export-dialog.tsx'))

export function BulkBar(props: BulkBarProps) {
  const { collection, listing, selection, total, onSelection } = props
  const outOfView = useOutOfView(collection.name, { listing, selection })
  const showRecords = useShowRecords()
  const picked = { listing, selection, total: total.is === 'exact' ? total.count : undefined }
  return (
    <SelectionBar
      selection={selection}
      total={total}
      outOfView={outOfView}
      onShowSelected={
        selection.ids.size <= MAX_SHOWN_IDS ? () => showRecords(collection.name, [...selection.ids]) : undefined
      }
      onSelection={onSelection}
    >
      {isTooManySelected(picked) ? (
        <span className="bulk-too-many">
          {t('You can select up to 10,000 records individually, or all matching records at once.')}
        </span>
      ) : (
        <BulkActions
          {...props}
          picked={picked}
          outOfView={outOfView}
          onDone={() => leave(picked, onSelection)}
          key={collection.id}
        />
      )}
    </SelectionBar>
  )
}

/** Clears a query selection, because the query may now match different records; selected IDs stay selected. */
function leave({ selection }: SelectedRecords, onSelection: (selection: GridSelection) => void): void {
  if (selection.mode === 'allBut') onSelection(NOTHING_SELECTED)
}

type BulkActionsProps = BulkBarProps & {
  readonly picked: SelectedRecords
  readonly outOfView: number
  readonly onDone: () => void
}

function BulkActions({ collection, look, listing, picked, outOfView, onSelection, onDone }: BulkActionsProps) {
  const [open, setOpen] = useState<'edit' | 'export'>()
  const { EditDialog } = useLazyModule(editing, open === 'edit') ?? {}
  const { ExportDialog } = useLazyModule(exporting, open === 'export') ?? {}
  const { can } = collection
  const close = () => setOpen(undefined)
  return (
    <>
      {can.includes('records:update') && bulkFields(collection).length > 0 && (
        <Button size="xs" leftSection={<IconPencil size={14} stroke={1.75} />} onClick={() => setOpen('edit')}>
          {t('Edit')}
        </Button>
      )}
      {can.includes('records:transition') && <ChangeStatus collection={collection} picked={picked} onDone={onDone} />}
      {can.includes('records:export') && (
        <Button size="xs" leftSection={<IconDownload size={14} stroke={1.75} />} onClick={() => setOpen('export')}>
          {t('Export')}
        </Button>
      )}
      {can.includes('records:delete') && (
        <DeleteSelected
          collection={collection}
          picked={picked}
          outOfView={outOfView}
          onGone={() => onSelection(NOTHING_SELECTED)}
        />
      )}
      {open === 'edit' && EditDialog && (
        <EditDialog collection={collection} picked={picked} outOfView={outOfView} onClose={close} onDone={onDone} />
      )}
      {open === 'export' && ExportDialog && (
        <ExportDialog collection={collection} listing={listing} look={look} picked={picked} onClose={close} />
      )}
    </>
  )
}

type ChangeStatusProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  readonly onDone: () => void
}

type Target = { readonly name: string; readonly color: string; readonly note: NoteRequirement }

function ChangeStatus({ collection, picked, onDone }: ChangeStatusProps) {
  const [asking, setAsking] = useState<Target>()
  const { move, isBusy } = useChangeStatus(collection, picked)
  const targets = targetsOf(collection)
  if (targets.length === 0) return null

  const run = (to: string, note = '') => {
    setAsking(undefined)
    void move(to, note).then((isDone) => isDone && onDone())
  }
  const choose = (target: Target) => (target.note === 'none' ? run(target.name) : setAsking(target))
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button size="xs" loading={isBusy} leftSection={<IconArrowRight size={14} stroke={1.75} aria-hidden />}>
            {t('Change status')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Move to')}</Menu.Label>
          {targets.map((target) => (
            <Menu.Item key={target.name} onClick={() => choose(target)}>
              <OptionChip name={target.name} color={target.color} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={t('Move to {name}', { name: asking?.name ?? '' })}
        size={440}
      >
        {asking && (
          <CommentForm
            actionLabel={t('Change status')}
            isRequired={asking.note === 'required'}
            isBusy={isBusy}
            onCancel={() => setAsking(undefined)}
            onDone={(note) => run(asking.name, note)}
          />
        )}
      </Dialog>
    </>
  )
}

/**
 * Changes the status of the selected records. If some are rejected, none is changed, and the user can choose to change
 * only the others.
 */
function useChangeStatus({ name: collection }: TypedCollection, picked: SelectedRecords) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const showRefused = useShowSkipped()

  const move = async (to: string, note: string, refused: 'refuse' | 'leave' = 'refuse'): Promise<boolean> => {
    const transition = { to, ...(note.trim() !== '' && { note }) }
    const others = { label: t('Move the others'), run: () => void move(to, note, 'leave') }
    setBusy(true)
    const isDone = await sendBulk(queryClient, collection, { where: whereOf(picked), transition, refused }).then(
      (said) => {
        if (said)
          notifyChanged(said.updated, said.refused ?? [], { to, picked, onShow: (all) => showRefused(collection, all) })
        return true
      },
      (error: unknown) => {
        notifyNotChanged(error, others)
        return false
      },
    )
    setBusy(false)
    return isDone
  }
  return { move, isBusy }
}

type ChangeStatusResult = {
  readonly to: string
  readonly picked: SelectedRecords
  readonly onShow: (refusals: readonly SkippedRecords[]) => void
}

function notifyChanged(
  count: number,
  refusals: readonly SkippedRecords[],
  { to, picked, onShow }: ChangeStatusResult,
): void {
  const text = t('Moved {records} to {to}', { records: records(count), to })
  const beside = (countOfSelected(picked) ?? count) - count - countSkipped(refusals)
  const elsewhere =
    beside > 0 ? t('{records} can’t be moved there from the current status.', { records: records(beside) }) : undefined
  const detail = [describeSkipped(refusals), elsewhere].filter((part) => part !== undefined).join(' ')
  if (detail === '') notify.success(text)
  else if (refusals.length === 0) notify.info(text, { detail, stays: true })
  else notify.warning(text, { detail, action: { label: t('Show them'), run: () => onShow(refusals) } })
}

function notifyNotChanged(error: unknown, others: { readonly label: string; readonly run: () => void }): void {
  const refusals = skippedIn(error)
  const { title, detail } = describeError(error)
  if (refusals.length === 0) notify.error(title, { detail })
  else notify.error(t('Couldn’t move records'), { detail: describeSkipped(refusals) ?? detail, action: others })
}

/** The target statuses of all transitions, each with the strictest comment requirement among its transitions. */
function targetsOf({ workflow, fields }: TypedCollection): readonly Target[] {
  const field = fields.find(({ id }) => id === workflow?.field)
  if (field?.kind !== 'state' || !workflow) return []
  return field.options.choices.flatMap(({ id, name, color }) => {
    const notes = workflow.transitions.filter(({ to }) => to === id).map(({ note }) => note)
    return notes.length === 0
      ? []
      : { name, color, note: STRICTEST_COMMENT.find((note) => notes.includes(note)) ?? 'none' }
  })
}

const STRICTEST_COMMENT: readonly NoteRequirement[] = ['required', 'optional', 'none']
