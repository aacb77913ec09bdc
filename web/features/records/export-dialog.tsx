import { Button, Checkbox, Modal, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { exportRecords, exportSelection } from '#api/imports.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { saveBlob } from '#web/kit/save-blob.ts'
import { exportedFields } from './exported-fields.ts'
import { type Picked, pickedText } from './bulk/picked.ts'
import type { ListLook } from './grid-layout.ts'
import { asked, type Listing } from './record-list-queries.ts'

/** The list that is exported, as it is shown. */
export type ExportDialogProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly look: ListLook
  /** What of the list is selected; all of it where nothing is said. */
  readonly picked?: Picked
  readonly onClose: () => void
}

/** How it shall be written. */
type ExportPlan = {
  readonly header: 'name' | 'label'
  readonly isForSheets: boolean
  readonly hasIds: boolean
  readonly hasAll: boolean
}

/** The list as a CSV: its records in their order, the columns that are shown. */
export function ExportDialog(props: ExportDialogProps) {
  const { collection, listing, picked, onClose } = props
  const [plan, setPlan] = useState<ExportPlan>({ header: 'label', isForSheets: true, hasIds: false, hasAll: false })
  const { mutate, isPending, error } = useExport(props)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isPending) mutate(plan)
  }

  const isNarrowed = listing.filter !== '' || listing.search.trim() !== ''
  return (
    <Modal opened onClose={onClose} title={`Export ${picked ? pickedText(picked) : collection.label}`} size={480}>
      <form onSubmit={submit} className="dialog-form">
        <p className="dialog-hint">
          {whichText(picked !== undefined, isNarrowed)}, in the order of the list, related records by title, choices and
          people by name.
        </p>
        {error && <FailureNotice error={error} />}
        <PlanChoices plan={plan} onPlan={(part) => setPlan({ ...plan, ...part })} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={isPending}>
            Export
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function whichText(isPicked: boolean, isNarrowed: boolean): string {
  if (isPicked) return 'The selected records'
  return isNarrowed ? 'The records that fit the filter and the search' : 'All records'
}

type PlanChoicesProps = { readonly plan: ExportPlan; readonly onPlan: (part: Partial<ExportPlan>) => void }

function PlanChoices({ plan, onPlan }: PlanChoicesProps) {
  return (
    <>
      <Select
        label="The first row holds"
        allowDeselect={false}
        data={[
          { value: 'label', label: 'Labels, for people' },
          { value: 'name', label: 'Names, for programs' },
        ]}
        value={plan.header}
        onChange={(value) => onPlan({ header: value === 'name' ? 'name' : 'label' })}
        data-autofocus
      />
      <Checkbox
        label="Columns that are hidden, too"
        checked={plan.hasAll}
        onChange={(event) => onPlan({ hasAll: event.currentTarget.checked })}
      />
      <Checkbox
        label="A column of ids"
        description="With it an import can update these records."
        checked={plan.hasIds}
        onChange={(event) => onPlan({ hasIds: event.currentTarget.checked })}
      />
      <Checkbox
        label="Make it safe to open in a spreadsheet"
        description="Texts that begin with = + - or @ get an apostrophe in front, so that nothing in them is run as a formula. An import takes it off again."
        checked={plan.isForSheets}
        onChange={(event) => onPlan({ isForSheets: event.currentTarget.checked })}
      />
    </>
  )
}

/** Fetches the file and hands it over; a dialog that is closed ends it. */
function useExport({ collection, listing, look, picked, onClose }: ExportDialogProps) {
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  return useMutation({
    mutationFn: ({ header, isForSheets, hasIds, hasAll }: ExportPlan) => {
      stop.current = new AbortController()
      const forSheets = isForSheets ? ('yes' as const) : ('no' as const)
      const form = {
        fields: exportedFields(collection, look.layout, { hasIds, hasAll }).join(','),
        header,
        neutralise: forSheets,
        mark: forSheets,
      }
      const { signal } = stop.current
      const params = { collection: collection.name }
      if (!picked) return call(exportRecords, { params, query: { ...asked(listing), ...form }, signal })
      const { sort } = listing
      const body = { ...exportedWhere(picked), ...(sort !== '' && { sort }), ...form }
      return call(exportSelection, { params, body, signal })
    },
    onSuccess: (file) => {
      saveBlob(file, `${collection.name}.csv`)
      onClose()
    },
  })
}

/** The selection as an export takes it. */
function exportedWhere({ listing, selection }: Picked) {
  if (selection.mode === 'these') return { only: [...selection.ids] }
  return { ...asked({ ...listing, sort: '' }), except: [...selection.ids] }
}
