import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { zipRecord } from '#api/files.ts'
import { call } from '#web/client/call.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { IconDownload } from '#web/kit/icons/icon-download.ts'
import { saveBlob } from '#web/kit/save-blob.ts'
import { notify } from '#web/kit/toast/notify.ts'

type DownloadAllProps = {
  readonly place: { readonly collection: string; readonly record: string }
  readonly field: { readonly name: string; readonly label: string }
}

/** Hands over all files of one field of a record as one archive. */
export function DownloadAll({ place, field }: DownloadAllProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(zipRecord, { params: place, query: { field: field.name } }),
    onSuccess: (archive) => saveBlob(archive, `${field.label}.zip`),
    onError: (error) =>
      notify.error('The files could not be fetched', { detail: asCallFailed(error)?.message ?? error.message }),
  })
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      className="files-all"
      leftSection={<IconDownload size={14} stroke={1.75} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Download all
    </Button>
  )
}
