import { Button, Skeleton } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { type ImportBody, type ImportPreview, cancelImport, readImport, uploadImport } from '#api/imports.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ImportCancelled, ImportDone, ImportFailed } from './import-result.tsx'
import { type ImportPlan, planForNew, planInto, type PlannedImport, useStartImport } from './import-plan.ts'
import { PlanForm } from './plan-form.tsx'
import { call } from '#web/data/api/call.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { sendFile } from '#web/data/api/file-requests.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { IconFileSpreadsheet } from '#web/ui/icons/later.ts'
import './choose-file.css'

type ImportProgressProps = { readonly running: ImportBody }

/** Shows the progress of an import, which continues if this page is closed. */
function ImportProgress({ running }: ImportProgressProps) {
  const queryClient = useQueryClient()
  const perSecond = useSpeed(running.progress.rowsStored)
  const cancel = useMutation({
    mutationFn: () => call(cancelImport, { params: { import: running.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.import(running.id) }),
    onError: notifyFailure(),
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

/** Imported rows per second, rounded; null while unknown. */
function useSpeed(stored: number): number | null {
  const begun = useRef<{ readonly stored: number; readonly atMs: number }>(null)
  const now = performance.now()
  if (begun.current === null && stored > 0) begun.current = { stored, atMs: now }
  const first = begun.current
  if (!first || stored === first.stored) return null
  return Number((((stored - first.stored) * 1000) / (now - first.atMs)).toPrecision(2))
}

const POLL_INTERVAL_MS = 400

const importQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.import(id),
    queryFn: async ({ signal }) => {
      const body = await call(readImport, { params: { import: id }, signal })
      const { failure, errors } = body
      if (failure === null && errors.length === 0) return body
      const say = await serverTranslator()
      return {
        ...body,
        failure: failure === null ? null : say(failure),
        errors: errors.map((error) => ({ ...error, message: say(error.message) })),
      }
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })

type ImportWizardProps = {
  /** The import ID, stored in the URL so that the import is shown again after a reload; undefined before the upload. */
  readonly id: string | undefined
  readonly onId: (id: string | undefined) => void
  /** The name of the collection from which the user opened the import. */
  readonly into: string | undefined
}

export function ImportWizard({ id, onId, into }: ImportWizardProps) {
  const queryClient = useQueryClient()
  if (id === undefined) {
    return (
      <ChooseFile
        onLooked={(looked) => {
          queryClient.setQueryData(queryKeys.import(looked.id), looked)
          onId(looked.id)
        }}
      />
    )
  }
  return <OneImport key={id} id={id} into={into} onAgain={() => onId(undefined)} />
}

type OneImportProps = {
  readonly id: string
  readonly into: string | undefined
  readonly onAgain: () => void
}

function OneImport({ id, into, onAgain }: OneImportProps) {
  const { data: found, error, refetch } = useQuery(importQuery(id))
  useRefetchAfterImport(found)
  if (!found && error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!found) return <Skeleton height={180} radius="md" />
  return <ImportStep found={found} into={into} onAgain={onAgain} />
}

function useRefetchAfterImport(found: ImportBody | undefined) {
  const queryClient = useQueryClient()
  const isDone = found?.state === 'done'
  useEffect(() => {
    if (!isDone) return
    for (const queryKey of [queryKeys.collections, queryKeys.home, ['records']]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  }, [isDone, queryClient])
}

type ImportStepProps = Omit<OneImportProps, 'id'> & { readonly found: ImportBody }

function ImportStep({ found, into, onAgain }: ImportStepProps) {
  const { data: collections, isPending } = useQuery(collectionsQuery)
  const [chosen, setChosen] = useState<ImportPlan>()
  const [isChanging, setIsChanging] = useState(false)
  const { preview, state } = found

  if (state === 'running') return <ImportProgress running={found} />
  if (state === 'done') return <ImportDone ended={found} onAgain={onAgain} />
  if (state === 'cancelled') return <ImportCancelled ended={found} onAgain={onAgain} />
  if (!preview || isPending) return <Skeleton height={180} radius="md" />

  const target = collections?.find(({ name }) => name === into)
  const plan = chosen ?? firstPlan(preview, found.fileName, target)
  if (state === 'failed' && !isChanging) {
    const change = () => setIsChanging(true)
    return <FailedImport found={found} planned={{ plan, preview }} onAgain={onAgain} onChangePlan={change} />
  }
  return <PlanForm looked={found} preview={preview} plan={plan} onPlan={setChosen} onGivenUp={onAgain} />
}

function firstPlan(preview: ImportPreview, fileName: string, target: CollectionBody | undefined): ImportPlan {
  const fresh = planForNew(preview, fileName)
  return target ? planInto(fresh, preview, target) : fresh
}

type FailedImportProps = {
  readonly found: ImportBody
  readonly planned: PlannedImport
  readonly onAgain: () => void
  readonly onChangePlan: () => void
}

function FailedImport({ found, planned, onAgain, onChangePlan }: FailedImportProps) {
  const start = useStartImport(found.id)
  const skipBadRows = () => start.mutate({ ...planned, plan: { ...planned.plan, skipsBadRows: true } })
  return (
    <>
      <FailureNotice error={start.error} />
      <ImportFailed ended={found} onAgain={onAgain} onChangePlan={onChangePlan} onSkipBadRows={skipBadRows} />
    </>
  )
}

type ChooseFileProps = { readonly onLooked: (looked: ImportBody) => void }

type Sending = { readonly file: File; readonly signal: AbortSignal }

/** Uploads a CSV file for inspection; nothing is imported yet. */
function ChooseFile({ onLooked }: ChooseFileProps) {
  const stop = useRef<AbortController>(null)
  const [sentBytes, setSentBytes] = useState(0)
  const send = useMutation({
    mutationFn: async ({ file, signal }: Sending) => {
      const query = { name: file.name }
      // The server serializes every response with the endpoint's schema.
      return (await sendFile(uploadImport, { query, file, signal, onProgress: setSentBytes })) as ImportBody
    },
    onSuccess: onLooked,
  })

  function take(file: File | undefined) {
    if (!file || send.isPending) return
    setSentBytes(0)
    stop.current = new AbortController()
    send.mutate({ file, signal: stop.current.signal })
  }

  if (send.isPending) {
    return <SendingFile file={send.variables.file} sentBytes={sentBytes} onCancel={() => stop.current?.abort()} />
  }
  const isCancelled = toCallError(send.error)?.code === 'aborted'
  return (
    <>
      {send.error && !isCancelled && <FailureNotice error={send.error} />}
      <DropZone onFile={take} />
    </>
  )
}

function DropZone({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    onFile(event.dataTransfer.files[0])
  }

  function hover(event: DragEvent) {
    event.preventDefault()
    setIsOver(true)
  }

  return (
    <div
      className="choose-file"
      data-tour="import-file"
      data-over={isOver || undefined}
      onDragOver={hover}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={32} stroke={1.25} aria-hidden />
      <p>
        <strong>{t('Drop a CSV file here')}</strong>
        <span>
          {t('The first row can be a header. Commas, semicolons, tabs and pipes are supported as delimiters.')}
        </span>
      </p>
      <Button variant="filled" onClick={() => input.current?.click()}>
        {t('Select a file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        aria-label={t('CSV file')}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // Allows selecting the same file again after it has been fixed.
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

type SendingFileProps = { readonly file: File; readonly sentBytes: number; readonly onCancel: () => void }

function SendingFile({ file, sentBytes, onCancel }: SendingFileProps) {
  const isThere = sentBytes >= file.size
  const label = isThere
    ? t('Reading the file')
    : t('{sentBytes} of {fileCount} uploaded', { sentBytes: formatBytes(sentBytes), fileCount: formatBytes(file.size) })
  return (
    <div className="import-card">
      <h2>{file.name}</h2>
      <ProgressLine label={label} afterMs={0} {...(!isThere && { done: sentBytes / file.size })} />
      <Button onClick={onCancel}>{t('Cancel')}</Button>
    </div>
  )
}
