import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { type ImportBody, uploadImport } from '#api/imports.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { sendFile } from '#web/data/api/file-requests.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { IconFileSpreadsheet } from '#web/ui/icons/general.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { t } from '#web/i18n/t.ts'
import './choose-file.css'

type ChooseFileProps = { readonly onLooked: (looked: ImportBody) => void }

type Sending = { readonly file: File; readonly signal: AbortSignal }

/** Uploads a CSV for inspection; nothing is imported yet. */
export function ChooseFile({ onLooked }: ChooseFileProps) {
  const stop = useRef<AbortController>(null)
  const [sentBytes, setSentBytes] = useState(0)
  const send = useMutation({
    mutationFn: async ({ file, signal }: Sending) => {
      const query = { name: file.name }
      // The server shaped it after the endpoint's schema.
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
          // Lets the user choose the same file again after fixing it.
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
