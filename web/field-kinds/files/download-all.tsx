import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { archiveOfRecord } from '#api/files.ts'
import { call } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { IconDownload } from '#web/ui/icons/general.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { downloadArchive } from '#web/shared/files/download-archive.ts'

type DownloadAllProps = {
  readonly place: { readonly collection: string; readonly record: string }
  /** The name of the field. */
  readonly field: string
}

/** Hands over all files of one field of a record as one archive. */
export function DownloadAll({ place, field }: DownloadAllProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(archiveOfRecord, { params: place, query: { field } }),
    onSuccess: (archive) => downloadArchive(archive),
    onError: (error) =>
      notify.error(t('Couldn’t download the files'), { detail: toCallError(error)?.message ?? error.message }),
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
      {t('Download all')}
    </Button>
  )
}
