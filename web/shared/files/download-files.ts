import type { z } from 'zod'
import type { archiveOfRecord, zipForm } from '#api/files.ts'
import type { CallResult } from '#web/data/api/call.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { downloadByForm } from '#web/ui/browser/download.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'

/** Has the browser fetch an archive. `asked`: of which records, where the address alone does not say it. */
export function downloadArchive(
  { url, files, bytes }: CallResult<typeof archiveOfRecord>,
  asked?: z.input<typeof zipForm>,
): void {
  downloadByForm(url, {
    ...(asked && { form: { name: 'asked', value: JSON.stringify(asked) } }),
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

/** Where a file is saved from; an address of its own copy on this machine is as good as any. */
export const downloadUrl = (url: string): string => (url.startsWith('blob:') ? url : joined(url, 'download='))

/** Where a smaller copy of a picture is, so many pixels wide: the address of the whole is good for it. */
export const thumbnailUrl = (url: string, widthPx: number): string => joined(url, `w=${widthPx}`)
