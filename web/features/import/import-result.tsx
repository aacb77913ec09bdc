import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ImportBody, readImportErrors } from '#api/imports.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { IconCircleCheck } from '#web/ui/icons/later.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { plural, t } from '#web/i18n/t.ts'
import './import-result.css'
import { numberText } from '#web/i18n/locale.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

type RowErrorsProps = { readonly errors: ImportBody['errors']; readonly inAll: number }

const SHOWN = 10

function RowErrors({ errors, inAll }: RowErrorsProps) {
  if (errors.length === 0) return null
  const shown = errors.slice(0, SHOWN)
  return (
    <table className="row-errors">
      {inAll > shown.length && (
        <caption>
          {t('Showing {shownCount} of {inAll}. All errors are in the error file.', {
            shownCount: shown.length,
            inAll,
          })}
        </caption>
      )}
      <thead>
        <tr>
          <th scope="col">{t('Row')}</th>
          <th scope="col">{t('Column')}</th>
          <th scope="col">{t('Error')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ row, column, message }) => (
          <tr key={`${row} ${column}`}>
            <td>{numberText(row)}</td>
            <td>{column}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type EndedProps = { readonly ended: ImportBody; readonly onAgain: () => void }

export function ImportDone({ ended, onAgain }: EndedProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const collection = collections.find(({ id, name }) => id === ended.collection || name === ended.collection)
  const follow = useFollow()
  const { rowsStored, rowsUpdated, rowsRefused } = ended.progress
  return (
    <div className="import-card">
      <h2 className="import-done">
        <IconCircleCheck size={20} stroke={1.5} aria-hidden />
        {plural(rowsStored, '{n} record imported', '{n} records imported')}
      </h2>
      {rowsUpdated > 0 && (
        <p className="import-note">
          {t('{created} records created, {updated} updated.', {
            created: rowsStored - rowsUpdated,
            updated: rowsUpdated,
          })}
        </p>
      )}
      {rowsRefused > 0 && (
        <>
          <p className="import-note">
            {plural(rowsRefused, '{n} row was skipped because of errors.', '{n} rows were skipped because of errors.')}
          </p>
          <RowErrors errors={ended.errors} inAll={rowsRefused} />
        </>
      )}
      <div className="import-actions">
        {collection && (
          <>
            <Button
              component="a"
              href={`${collectionPath(collection.name)}${importedQuery(ended)}`}
              onClick={follow}
              variant="filled"
            >
              {t('Show imported records')}
            </Button>
            <Button component={Link} to={collectionPath(collection.name)}>
              {t('Open {label}', { label: collection.label })}
            </Button>
          </>
        )}
        {rowsRefused > 0 && <ErrorFileButton ended={ended} />}
        <Button onClick={onAgain}>{t('Import another file')}</Button>
      </div>
    </div>
  )
}

/** A filter for the imported records: new ones share a creation time, existing ones were updated during the import. */
function importedQuery({ startedAt, endedAt, progress }: ImportBody): string {
  if (startedAt === null || endedAt === null) return ''
  const created: Filter = { field: 'createdAt', op: '=', value: startedAt }
  const updated: Filter = { field: 'updatedAt', op: 'between', value: [startedAt, endedAt] }
  const filter = progress.rowsUpdated === 0 ? created : { any: [created, updated] }
  return `?filter=${encodeURIComponent(printFilter(filter))}`
}

type FailedProps = EndedProps & { readonly onChangePlan: () => void; readonly onSkipBadRows: () => void }

export function ImportFailed({ ended, onAgain, onChangePlan, onSkipBadRows }: FailedProps) {
  const { rowsRefused } = ended.progress
  const hasBadRows = rowsRefused > 0 || ended.errors.length > 0
  return (
    <div className="import-card">
      <h2>{t('Couldn’t import {fileName}', { fileName: ended.fileName })}</h2>
      <ErrorNotice title={ended.failure ?? t('Import failed.')} detail={t('Nothing was saved or changed.')} />
      {hasBadRows && <RowErrors errors={ended.errors} inAll={Math.max(rowsRefused, ended.errors.length)} />}
      <div className="import-actions">
        {hasBadRows && (
          <Button variant="filled" onClick={onSkipBadRows}>
            {t('Import valid rows')}
          </Button>
        )}
        {hasBadRows && <ErrorFileButton ended={ended} />}
        <Button onClick={onChangePlan}>{t('Edit columns')}</Button>
        <Button onClick={onAgain}>{t('Select another file')}</Button>
      </div>
    </div>
  )
}

export function ImportCancelled({ ended, onAgain }: EndedProps) {
  return (
    <div className="import-card">
      <h2>{t('Import of {fileName} canceled', { fileName: ended.fileName })}</h2>
      <p className="import-note">{t('Imported records were removed; nothing else was changed.')}</p>
      <div className="import-actions">
        <Button variant="filled" onClick={onAgain}>
          {t('Select a file')}
        </Button>
      </div>
    </div>
  )
}

function ErrorFileButton({ ended }: { readonly ended: ImportBody }) {
  const download = useMutation({
    mutationFn: () => call(readImportErrors, { params: { import: ended.id } }),
    onSuccess: (file) => saveBlob(file, `${ended.fileName.replace(/\.[^.]*$/, '')}-errors.csv`),
    onError: notifyFailure(),
  })
  return (
    <Button onClick={() => download.mutate()} loading={download.isPending}>
      {t('Download error file')}
    </Button>
  )
}
