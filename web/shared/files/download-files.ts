import type { z } from 'zod'
import type { archiveOfRecord, zipForm } from '#api/files.ts'
import type { CallResult } from '#web/data/api/call.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { downloadByForm } from '#web/ui/browser/download.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'

/** `requested`: the selection, if it isn't part of the URL. */
export function downloadArchive(
  { url, files, bytes }: CallResult<typeof archiveOfRecord>,
  requested?: z.input<typeof zipForm>,
): void {
  downloadByForm(url, {
    ...(requested && { form: { name: 'asked', value: JSON.stringify(requested) } }),
    onRefused: () => {
      notify.dismiss(url)
      notify.error(t('Couldn’t download the archive'), {
        detail: t('Your files are safe. The server may be busy: try again in a minute.'),
      })
    },
  })
  notify.info(
    plural(files, 'Downloading {n} file, {bytes}', 'Downloading {n} files, {bytes}', { bytes: formatBytes(bytes) }),
    { id: url },
  )
}

const joined = (address: string, part: string): string => `${address}${address.includes('?') ? '&' : '?'}${part}`

/** Returns the `blob:` URL of a local copy unchanged. */
export const downloadUrl = (url: string): string => (url.startsWith('blob:') ? url : joined(url, 'download='))

/** The signed URL of the original also works for thumbnails. */
export const thumbnailUrl = (url: string, widthPx: number): string => joined(url, `w=${widthPx}`)
