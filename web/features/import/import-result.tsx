import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ImportBody, readImportErrors } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { collectionPath } from '#web/shared/navigation/paths.ts'
import { ErrorNotice } from '#web/ui/feedback/error-notice.tsx'
import { IconCircleCheck } from '#web/ui/icons/icon-circle-check.ts'
import { saveBlob } from '#web/ui/browser/save-blob.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { RowErrors } from './row-errors.tsx'
import './import-result.css'

type EndedProps = { readonly ended: ImportBody; readonly onAgain: () => void }

/** What came of an import that went well. */
export function ImportDone({ ended, onAgain }: EndedProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const collection = collections.find(({ id, name }) => id === ended.collection || name === ended.collection)
  const { rowsStored, rowsUpdated, rowsRefused } = ended.progress
  return (
    <div className="import-card">
      <h2 className="import-done">
        <IconCircleCheck size={20} stroke={1.5} aria-hidden />
        {plural(rowsStored, '{n} record imported', '{n} records imported')}
      </h2>
      {rowsUpdated > 0 && (
        <p className="import-note">
          {t('{created} of them are new, {updated} were there and are up to date now.', {
            created: rowsStored - rowsUpdated,
            updated: rowsUpdated,
          })}
        </p>
      )}
      {rowsRefused > 0 && (
        <>
          <p className="import-note">
            {plural(
              rowsRefused,
              '{n} row could not be read and was left out.',
              '{n} rows could not be read and were left out.',
            )}
          </p>
          <RowErrors errors={ended.errors} inAll={rowsRefused} />
        </>
      )}
      <div className="import-actions">
        {collection && (
          <Button component={Link} to={collectionPath(collection.name)} variant="filled">
            {t('Open {label}', { label: collection.label })}
          </Button>
        )}
        {rowsRefused > 0 && <ErrorFileButton ended={ended} />}
        <Button onClick={onAgain}>{t('Import another file')}</Button>
      </div>
    </div>
  )
}

type FailedProps = EndedProps & { readonly onChangePlan: () => void; readonly onSkipBadRows: () => void }

/** What came of an import that failed: why, which rows, and the ways on. Nothing of it was stored. */
export function ImportFailed({ ended, onAgain, onChangePlan, onSkipBadRows }: FailedProps) {
  const { rowsRefused } = ended.progress
  const hasBadRows = rowsRefused > 0 || ended.errors.length > 0
  return (
    <div className="import-card">
      <h2>{t('{fileName} was not imported', { fileName: ended.fileName })}</h2>
      <ErrorNotice
        title={ended.failure ?? t('The import failed.')}
        detail={t('Nothing was stored; everything is as it was before.')}
      />
      {hasBadRows && <RowErrors errors={ended.errors} inAll={Math.max(rowsRefused, ended.errors.length)} />}
      <div className="import-actions">
        {hasBadRows && (
          <Button variant="filled" onClick={onSkipBadRows}>
            {t('Import the good rows')}
          </Button>
        )}
        {hasBadRows && <ErrorFileButton ended={ended} />}
        <Button onClick={onChangePlan}>{t('Change the columns')}</Button>
        <Button onClick={onAgain}>{t('Choose another file')}</Button>
      </div>
    </div>
  )
}

/** What came of an import that was cancelled. */
export function ImportCancelled({ ended, onAgain }: EndedProps) {
  return (
    <div className="import-card">
      <h2>{t('The import of {fileName} was cancelled', { fileName: ended.fileName })}</h2>
      <p className="import-note">{t('What it had stored was removed; everything is as it was before.')}</p>
      <div className="import-actions">
        <Button variant="filled" onClick={onAgain}>
          {t('Choose a file')}
        </Button>
      </div>
    </div>
  )
}

function ErrorFileButton({ ended }: { readonly ended: ImportBody }) {
  const download = useMutation({
    mutationFn: () => call(readImportErrors, { params: { import: ended.id } }),
    onSuccess: (file) => saveBlob(file, `${ended.fileName.replace(/\.[^.]*$/, '')}-errors.csv`),
    onError: (error) => {
      const { title, detail } = describeError(error)
      notify.error(title, { detail })
    },
  })
  return (
    <Button onClick={() => download.mutate()} loading={download.isPending}>
      {t('Download error file')}
    </Button>
  )
}
