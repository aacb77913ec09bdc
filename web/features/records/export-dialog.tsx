import { Button, Checkbox, Modal, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { exportRecords } from '#api/imports.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { saveBlob } from '#web/kit/save-blob.ts'
import { exportedFields } from './exported-fields.ts'
import type { ListLook } from './grid-layout.ts'
import type { Listing } from './record-list-queries.ts'

/** The list that is exported, as it is shown. */
export type ExportDialogProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly look: ListLook
  readonly onClose: () => void
}

type Header = 'name' | 'label'

/** The list as a CSV: its records in their order, the columns that are shown. */
export function ExportDialog({ collection, listing, look, onClose }: ExportDialogProps) {
  const [header, setHeader] = useState<Header>('label')
  const [isForSheets, setForSheets] = useState(true)
  const [hasIds, setHasIds] = useState(false)
  const [hasAll, setHasAll] = useState(false)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const exporting = useMutation({
    mutationFn: () => {
      stop.current = new AbortController()
      const { filter, search, sort } = listing
      const fields = exportedFields(collection, look.layout, { hasIds, hasAll }).join(',')
      const choice = isForSheets ? ('yes' as const) : ('no' as const)
      const query = {
        ...(filter !== '' && { filter }),
        ...(search.trim() !== '' && { search }),
        ...(sort !== '' && { sort }),
        fields,
        header,
        neutralise: choice,
        mark: choice,
      }
      return call(exportRecords, { params: { collection: collection.name }, query, signal: stop.current.signal })
    },
    onSuccess: (file) => {
      saveBlob(file, `${collection.name}.csv`)
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!exporting.isPending) exporting.mutate()
  }

  const isNarrowed = listing.filter !== '' || listing.search.trim() !== ''
  return (
    <Modal opened onClose={onClose} title={`Export ${collection.label}`} size={480}>
      <form onSubmit={submit} className="dialog-form">
        <p className="dialog-hint">
          {isNarrowed ? 'The records that fit the filter and the search' : 'All records'}, in the order of the list,
          related records by title, choices and people by name.
        </p>
        {exporting.error && <FailureNotice error={exporting.error} />}
        <Select
          label="The first row holds"
          allowDeselect={false}
          data={[
            { value: 'label', label: 'Labels, for people' },
            { value: 'name', label: 'Names, for programs' },
          ]}
          value={header}
          onChange={(value) => setHeader(value === 'name' ? 'name' : 'label')}
          data-autofocus
        />
        <Checkbox
          label="Columns that are hidden, too"
          checked={hasAll}
          onChange={(event) => setHasAll(event.currentTarget.checked)}
        />
        <Checkbox
          label="A column of ids"
          description="With it an import can update these records."
          checked={hasIds}
          onChange={(event) => setHasIds(event.currentTarget.checked)}
        />
        <Checkbox
          label="Make it safe to open in a spreadsheet"
          description="Texts that begin with = + - or @ get an apostrophe in front, so that nothing in them is run as a formula. An import takes it off again."
          checked={isForSheets}
          onChange={(event) => setForSheets(event.currentTarget.checked)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={exporting.isPending}>
            Export
          </Button>
        </div>
      </form>
    </Modal>
  )
}
