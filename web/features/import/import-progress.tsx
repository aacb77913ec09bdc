import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { cancelImport, type ImportBody } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { ProgressLine } from '#web/ui/feedback/progress-line.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'

type ImportProgressProps = { readonly running: ImportBody }

/** How far an import is and how fast it goes. It goes on when this page is left. */
export function ImportProgress({ running }: ImportProgressProps) {
  const queryClient = useQueryClient()
  const perSecond = useSpeed(running.progress.rowsStored)
  const cancel = useMutation({
    mutationFn: () => call(cancelImport, { params: { import: running.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.import(running.id) }),
    onError: (error) => {
      const { title, detail } = describeError(error)
      notify.error(title, { detail })
    },
  })
  const { bytesRead, rowsStored, rowsRead } = running.progress
  const label = [
    rowsStored > 0
      ? plural(rowsStored, '{n} record saved', '{n} records saved')
      : plural(rowsRead, '{n} row checked', '{n} rows checked'),
    ...(perSecond === null ? [] : [t('{perSecond}/s', { perSecond })]),
  ].join(', ')

  return (
    <div className="import-card">
      <h2>{t('Importing {fileName}', { fileName: running.fileName })}</h2>
      <ProgressLine label={label} afterMs={0} done={running.bytes === 0 ? 0 : bytesRead / running.bytes} />
      <p className="import-note">
        {t('You can leave this page; the import continues. Records appear when it is done.')}
      </p>
      <Button onClick={() => cancel.mutate()} loading={cancel.isPending}>
        {t('Cancel import')}
      </Button>
    </div>
  )
}

/** Records a second since the import was first seen moving, as two round figures; null while there is nothing to say. */
function useSpeed(stored: number): number | null {
  const begun = useRef<{ readonly stored: number; readonly atMs: number }>(null)
  const now = performance.now()
  if (begun.current === null && stored > 0) begun.current = { stored, atMs: now }
  const first = begun.current
  if (!first || stored === first.stored) return null
  return Number((((stored - first.stored) * 1000) / (now - first.atMs)).toPrecision(2))
}
