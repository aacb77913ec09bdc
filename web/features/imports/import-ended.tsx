import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ImportBody, readImportErrors } from '#api/imports.ts'
import { call } from '#web/client/call.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { failureText } from '#web/client/problem-text.ts'
import { collectionPath } from '#web/fields/addresses.ts'
import { ErrorNotice } from '#web/kit/error-notice.tsx'
import { IconCircleCheck } from '#web/kit/icons/icon-circle-check.ts'
import { saveBlob } from '#web/kit/save-blob.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { RowErrors } from './row-errors.tsx'
import './import-ended.css'

const recordsInWords = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'record' : 'records'}`

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
        {recordsInWords(rowsStored)} imported
      </h2>
      {rowsUpdated > 0 && (
        <p className="import-note">
          {(rowsStored - rowsUpdated).toLocaleString()} of them are new, {rowsUpdated.toLocaleString()} were there and
          are up to date now.
        </p>
      )}
      {rowsRefused > 0 && (
        <>
          <p className="import-note">{rowsInWords(rowsRefused)} could not be read and were left out.</p>
          <RowErrors errors={ended.errors} inAll={rowsRefused} />
        </>
      )}
      <div className="import-actions">
        {collection && (
          <Button component={Link} to={collectionPath(collection.name)} variant="filled">
            Open {collection.label}
          </Button>
        )}
        {rowsRefused > 0 && <ErrorFileButton ended={ended} />}
        <Button onClick={onAgain}>Import another file</Button>
      </div>
    </div>
  )
}

const rowsInWords = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`

type FailedProps = EndedProps & { readonly onChangePlan: () => void; readonly onSkipBadRows: () => void }

/** What came of an import that failed: why, which rows, and the ways on. Nothing of it was stored. */
export function ImportFailed({ ended, onAgain, onChangePlan, onSkipBadRows }: FailedProps) {
  const { rowsRefused } = ended.progress
  const hasBadRows = rowsRefused > 0 || ended.errors.length > 0
  return (
    <div className="import-card">
      <h2>{ended.fileName} was not imported</h2>
      <ErrorNotice
        title={ended.failure ?? 'The import failed.'}
        detail="Nothing was stored; everything is as it was before."
      />
      {hasBadRows && <RowErrors errors={ended.errors} inAll={Math.max(rowsRefused, ended.errors.length)} />}
      <div className="import-actions">
        {hasBadRows && (
          <Button variant="filled" onClick={onSkipBadRows}>
            Import the good rows
          </Button>
        )}
        {hasBadRows && <ErrorFileButton ended={ended} />}
        <Button onClick={onChangePlan}>Change the columns</Button>
        <Button onClick={onAgain}>Choose another file</Button>
      </div>
    </div>
  )
}

/** What came of an import that was cancelled. */
export function ImportCancelled({ ended, onAgain }: EndedProps) {
  return (
    <div className="import-card">
      <h2>The import of {ended.fileName} was cancelled</h2>
      <p className="import-note">What it had stored was removed; everything is as it was before.</p>
      <div className="import-actions">
        <Button variant="filled" onClick={onAgain}>
          Choose a file
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
      const { title, detail } = failureText(error)
      notify.error(title, { detail })
    },
  })
  return (
    <Button onClick={() => download.mutate()} loading={download.isPending}>
      Download error file
    </Button>
  )
}
