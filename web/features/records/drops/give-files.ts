import type { RecordLineBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { PickedFile } from '#web/client/uploads/upload-job.ts'
import { uploads } from '#web/client/uploads/uploads.ts'
import { takePicked } from '#web/fields/files/take-picked.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { shownValue } from '#web/fields/shown-value.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { plural, t } from '#web/language/t.ts'

/** Files for a record of which several fields take some: which one is asked where they were let go. */
export type FilesFor = {
  readonly files: readonly PickedFile[]
  readonly fields: readonly Field<'files'>[]
  readonly choose: (field: Field<'files'>) => void
  readonly xPx: number
  readonly yPx: number
}

type Giving = { readonly fields: readonly Field<'files'>[]; readonly files: readonly PickedFile[] }

/** Gives files to a record; where several of its fields take some, `ask` has one chosen first. */
export function giveToRecord(
  collection: KnownCollection,
  record: RecordLineBody,
  { fields, files }: Giving,
  ask: (asking: Omit<FilesFor, 'xPx' | 'yPx'>) => void,
): void {
  const choose = (field: Field<'files'>) => giveToField(collection, record, { field, files })
  const [only, ...others] = fields
  if (!only || files.length === 0) return
  if (others.length === 0) choose(only)
  else ask({ files, fields, choose })
}

type Given = { readonly field: Field<'files'>; readonly files: readonly PickedFile[] }

/** Sends files into a field of a record, as far as it takes them; says what it does not take. */
export function giveToField(collection: KnownCollection, record: RecordLineBody, { field, files }: Given): number {
  const place = { collection: collection.name, record: record.id, field: field.name, label: field.label }
  const held = shownValue('files', record.values[field.name]).length + uploads.countFor(place)
  const { taken, refusal } = takePicked(files, field.options, (field.options.max ?? Number.POSITIVE_INFINITY) - held)
  if (refusal !== undefined)
    notify.error(
      taken.length === 0 ? t('Nothing was added to {label}', { label: field.label }) : t('Not every file was taken'),
      {
        id: `files-${record.id}-${field.id}`,
        detail: refusal,
      },
    )
  uploads.add(place, taken)
  return taken.length
}

/** What a choice of fields is headed by. */
export const addingText = (files: readonly PickedFile[]): string =>
  plural(files.length, 'Add {n} file to', 'Add {n} files to')
