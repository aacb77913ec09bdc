import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { acceptFiles } from '#web/shared/uploads/accept-files.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'

/** Files to upload once the user has selected a field. */
export type DroppedFiles = {
  readonly files: readonly SelectedFile[]
  readonly fields: readonly Field<'files'>[]
  readonly choose: (field: Field<'files'>) => void
  readonly xPx: number
  readonly yPx: number
}

type SendInput = { readonly fields: readonly Field<'files'>[]; readonly files: readonly SelectedFile[] }

/** `ask` lets the user select one of several fields. */
export function sendToRecord(
  collection: TypedCollection,
  record: RecordListItem,
  { fields, files }: SendInput,
  ask: (asking: Omit<DroppedFiles, 'xPx' | 'yPx'>) => void,
): void {
  const choose = (field: Field<'files'>) => sendToField(collection, record, { field, files })
  const [only, ...others] = fields
  if (!only || files.length === 0) return
  if (others.length === 0) choose(only)
  else ask({ files, fields, choose })
}

type SentFiles = { readonly field: Field<'files'>; readonly files: readonly SelectedFile[] }

/** Reports files that the field doesn't accept. */
export function sendToField(collection: TypedCollection, record: RecordListItem, { field, files }: SentFiles): number {
  const place = { collection: collection.name, record: record.id, field: field.name, label: field.label }
  const held = toClientValue('files', record.values[field.name]).length + uploads.countFor(place)
  const { taken, refusal } = acceptFiles(files, field.options, (field.options.max ?? Number.POSITIVE_INFINITY) - held)
  if (refusal !== undefined)
    notify.error(
      taken.length === 0 ? t('Couldn’t add files to {label}', { label: field.label }) : t('Some files weren’t added'),
      {
        id: `files-${record.id}-${field.id}`,
        detail: refusal,
      },
    )
  uploads.add(place, taken)
  return taken.length
}

export const describeAdding = (files: readonly SelectedFile[]): string =>
  plural(files.length, 'Add {n} file to', 'Add {n} files to')
