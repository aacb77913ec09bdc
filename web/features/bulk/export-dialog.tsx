import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { archiveOfSelection } from '#api/files.ts'
import { exportRecords, exportSelection } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { t } from '#web/i18n/t.ts'
import { describeSelected, type SelectedRecords } from '#web/shared/bulk-operations/selected-records.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { downloadArchive } from '#web/shared/files/download-files.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { saveBlob } from '#web/ui/browser/download.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { GridLayout } from '#web/ui/grid/columns/grid-column.ts'
import { fieldNameOf, recordColumns } from '#web/views/grid/record-columns.tsx'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'

export function exportedFields(
  collection: TypedCollection,
  { order, hidden }: Pick<GridLayout, 'order' | 'hidden'>,
  { hasIds, hasAll }: { readonly hasIds: boolean; readonly hasAll: boolean },
): readonly string[] {
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const columns = recordColumns(collection, undefined)
  const [title, others] = [columns.filter(({ isTitle }) => isTitle), columns.filter(({ isTitle }) => !isTitle)]
  const shown = others.filter(({ id }) => hasAll || !hidden.includes(id))
  const inOrder = [...title, ...shown.toSorted((left, right) => placeOf(left.id) - placeOf(right.id))]
  return [...(hasIds ? ['id'] : []), ...inOrder.map(({ id }) => fieldNameOf(collection, id))]
}

export type ExportDialogProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly look: ListSettings
  readonly picked?: SelectedRecords
  readonly onClose: () => void
}

type ExportPlan = {
  readonly what: 'records' | 'files'
  readonly header: 'name' | 'label'
  readonly isForSheets: boolean
  readonly hasIds: boolean
  readonly hasAll: boolean
}

export function ExportDialog(props: ExportDialogProps) {
  const { collection, listing, picked, onClose } = props
  const [plan, setPlan] = useState<ExportPlan>(FIRST_PLAN)
  const { mutate, isPending, error } = useExport(props)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isPending) mutate(plan)
  }

  const change = (part: Partial<ExportPlan>) => setPlan({ ...plan, ...part })
  const isNarrowed = listing.filter !== '' || listing.search.trim() !== ''
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('Export {value}', { value: picked ? describeSelected(picked) : collection.label })}
      size={480}
    >
      <form onSubmit={submit} className="dialog-form">
        <p className="dialog-hint">
          {t('{which}, in list order.', { which: describeScope(picked !== undefined, isNarrowed) })}{' '}
          {plan.what === 'records'
            ? t('Exports linked records by title, and options and people by name.')
            : t('One folder for each record that has files.')}
        </p>
        <FailureNotice error={error} />
        {collection.fields.some(({ kind }) => kind === 'files') && <ExportScope plan={plan} onPlan={change} />}
        {plan.what === 'records' && <ExportOptions plan={plan} onPlan={change} />}
        <FormActions label={t('Export')} isBusy={isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

const FIRST_PLAN: ExportPlan = { what: 'records', header: 'label', isForSheets: true, hasIds: false, hasAll: false }

function describeScope(isPicked: boolean, isNarrowed: boolean): string {
  if (isPicked) return t('The selected records')
  return isNarrowed ? t('The records that match the filter and search') : t('All records')
}

type ExportOptionsProps = { readonly plan: ExportPlan; readonly onPlan: (part: Partial<ExportPlan>) => void }

function ExportScope({ plan, onPlan }: ExportOptionsProps) {
  return (
    <WithHelp setting="export-what">
      <Select
        label={t('What')}
        allowDeselect={false}
        data={[
          { value: 'records', label: t('Records as CSV') },
          { value: 'files', label: t('Files as ZIP') },
        ]}
        value={plan.what}
        onChange={(value) => onPlan({ what: value === 'files' ? 'files' : 'records' })}
      />
    </WithHelp>
  )
}

function ExportOptions({ plan, onPlan }: ExportOptionsProps) {
  return (
    <>
      <WithHelp setting="export-header">
        <Select
          label={t('First row contains')}
          allowDeselect={false}
          data={[
            { value: 'label', label: t('Field names') },
            { value: 'name', label: t('API names') },
          ]}
          value={plan.header}
          onChange={(value) => onPlan({ header: value === 'name' ? 'name' : 'label' })}
          data-autofocus
        />
      </WithHelp>
      <WithHelp setting="export-hidden">
        <Checkbox
          label={t('Include hidden columns')}
          checked={plan.hasAll}
          onChange={(event) => onPlan({ hasAll: event.currentTarget.checked })}
        />
      </WithHelp>
      <WithHelp setting="export-ids">
        <Checkbox
          label={t('Include record IDs')}
          description={t('Lets an import update these records.')}
          checked={plan.hasIds}
          onChange={(event) => onPlan({ hasIds: event.currentTarget.checked })}
        />
      </WithHelp>
      <WithHelp setting="export-safe">
        <Checkbox
          label={t('Protect against spreadsheet formulas')}
          description={t(
            'Adds an apostrophe before text that starts with =, +, - or @, so that spreadsheets don’t run the text as a formula. Imports remove the apostrophe.',
          )}
          checked={plan.isForSheets}
          onChange={(event) => onPlan({ isForSheets: event.currentTarget.checked })}
        />
      </WithHelp>
    </>
  )
}

/** Closing the dialog cancels the download, except for archives, which the browser downloads itself. */
function useExport(props: ExportDialogProps) {
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  return useMutation({
    mutationFn: async (plan: ExportPlan) => {
      stop.current = new AbortController()
      const { signal } = stop.current
      if (plan.what === 'files') return saveFiles(props, signal)
      return saveBlob(await fetchRecords(props, plan, signal), `${props.collection.name}.csv`)
    },
    onSuccess: props.onClose,
  })
}

function fetchRecords({ collection, listing, look, picked }: ExportDialogProps, plan: ExportPlan, signal: AbortSignal) {
  const { header, isForSheets, hasIds, hasAll } = plan
  const forSheets = isForSheets ? ('yes' as const) : ('no' as const)
  const form = {
    fields: exportedFields(collection, look.layout, { hasIds, hasAll }).join(','),
    header,
    escapeFormulas: forSheets,
    mark: forSheets,
  }
  const params = { collection: collection.name }
  if (!picked) return call(exportRecords, { params, query: { ...listingParams(listing), ...form }, signal })
  return call(exportSelection, { params, body: { ...selected(listing, picked), ...form }, signal })
}

async function saveFiles({ collection, listing, picked }: ExportDialogProps, signal: AbortSignal): Promise<void> {
  const body = picked ? selected(listing, picked) : listingParams(listing)
  downloadArchive(await call(archiveOfSelection, { params: { collection: collection.name }, body, signal }), body)
}

const selected = ({ sort, at }: Listing, picked: SelectedRecords) => ({
  ...exportedWhere(picked),
  ...(sort !== '' && { sort }),
  ...(at !== undefined && { at }),
})

function exportedWhere({ listing, selection }: SelectedRecords) {
  if (selection.mode === 'these') return { only: [...selection.ids] }
  return { ...listingParams({ ...listing, sort: '' }), except: [...selection.ids] }
}
