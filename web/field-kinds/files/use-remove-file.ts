import { useEffect, useRef } from 'react'
import type { FileBody } from '#api/records.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { UploadPlace } from '#web/data/uploads/upload-types.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'

type LatestProps = { readonly files: readonly FileBody[]; readonly onChange: (files: readonly FileBody[]) => void }

/** Takes a file out of a field, with a way back that is there also after the field was closed. */
export function useRemoveFile(place: UploadPlace, held: LatestProps): (file: FileBody) => void {
  const latest = useRef<LatestProps | undefined>(held)
  useEffect(() => {
    latest.current = held
  })
  useEffect(() => () => void (latest.current = undefined), [])
  return (file) => {
    const at = held.files.findIndex(({ id }) => id === file.id)
    held.onChange(held.files.toSpliced(at, 1))
    const id = `removed-${file.id}`
    const putBack = () => {
      notify.dismiss(id)
      const now = latest.current
      if (!now) return void restoreInto(place, { file, at })
      if (now.files.every((other) => other.id !== file.id)) now.onChange(now.files.toSpliced(at, 0, file))
    }
    notify.info(t('“{name}” removed', { name: file.name }), {
      id,
      action: { label: t('Undo'), run: putBack },
    })
  }
}

type Removed = { readonly file: FileBody; readonly at: number }

/** The record is not open any more: the file goes back into it as it is stored. */
async function restoreInto({ record, ...place }: UploadPlace, { file, at }: Removed): Promise<void> {
  if (record === undefined) return
  const { restoreFile } = await import('#web/data/uploads/restore-file.ts')
  await restoreFile({ ...place, record }, { file, at }).then(
    () => notify.success(t('“{name}” restored', { name: file.name })),
    (error: unknown) =>
      void notify.error(t('Couldn’t restore “{name}”', { name: file.name }), {
        detail: describeError(error).detail,
      }),
  )
}
