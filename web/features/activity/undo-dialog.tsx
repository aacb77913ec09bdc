import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UndoResult } from '#api/activity.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { plural, t } from '#web/i18n/t.ts'
import { undoChange } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'
import { describeReason, type SkippedRecords, translateSkipReasons } from '#web/shared/bulk-operations/user-jobs.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { undoPreviewQuery } from './activity-queries.ts'
import { undoingSentences } from './definition-text.tsx'

type UndoDialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly changeSet: string
  /** The collections that were changed. */
  readonly collections: readonly TypedCollection[]
}

/** Shows what undoing a change will do, and does it. */
export function UndoDialog({ isOpen, onClose, changeSet, collections }: UndoDialogProps) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({ ...undoPreviewQuery(changeSet), enabled: isOpen })
  const undo = useMutation({
    mutationFn: () => undoChange(queryClient, { changeSet, collections: collections.map(({ name }) => name) }),
    onSuccess: onClose,
  })
  const [only] = collections.length === 1 ? collections : []
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Undo this change?')} size={480}>
      <div className="confirm-form">
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={72} role="status" aria-label={t('Loading')} />}
        {data && <Outcome result={data} collection={only} onLeave={onClose} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            variant="filled"
            data-autofocus
            loading={undo.isPending}
            disabled={!data || isNothing(data)}
            onClick={() => undo.mutate()}
          >
            {t('Undo')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const isNothing = ({ restored, changed, deleted, definitions = [], examined }: UndoResult): boolean =>
  restored + changed + deleted + definitions.length === 0 && examined === undefined

type OutcomeProps = {
  readonly result: UndoResult
  readonly collection: TypedCollection | undefined
  readonly onLeave: () => void
}

function Outcome({ result, collection, onLeave }: OutcomeProps) {
  const { restored, changed, deleted, definitions = [], examined, kept = [], refused = [], lost = [] } = result
  return (
    <div className="undo-outcome">
      {isNothing(result) && kept.length + refused.length === 0 && <p>{t('There is nothing left to undo.')}</p>}
      {restored + changed + deleted + definitions.length > 0 && (
        <ul>
          {definitions.flatMap(undoingSentences).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {restored > 0 && (
            <li>{plural(restored, '{n} deleted record will be restored.', '{n} deleted records will be restored.')}</li>
          )}
          {changed > 0 && (
            <li>
              {plural(changed, '{n} record will get its earlier values.', '{n} records will get their earlier values.')}
            </li>
          )}
          {deleted > 0 && (
            <li>{plural(deleted, '{n} created record will be deleted.', '{n} created records will be deleted.')}</li>
          )}
        </ul>
      )}
      <Reasons title={t('Changed since, and kept')} skipped={kept} collection={collection} onLeave={onLeave} />
      <Reasons title={t('Can’t be undone')} skipped={refused} collection={collection} onLeave={onLeave} />
      <Reasons title={t('Restored only in part')} skipped={lost} collection={collection} onLeave={onLeave} />
      {examined !== undefined && (
        <p>
          {plural(
            examined,
            'This is a large change: only {n} record was checked. All of them are undone in the background.',
            'This is a large change: only {n} records were checked. All of them are undone in the background.',
          )}
        </p>
      )}
    </div>
  )
}

type ReasonsProps = Omit<OutcomeProps, 'result'> & {
  readonly title: string
  readonly skipped: readonly SkippedRecords[]
}

function Reasons({ title, skipped, collection, onLeave }: ReasonsProps) {
  const showRecords = useShowSkipped()
  const translated = useTranslated(skipped)
  if (translated.length === 0) return null
  return (
    <section aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {translated.map((reason) => (
          <li key={reason.message}>{describeReason(reason)}</li>
        ))}
      </ul>
      {collection && skipped.some(({ records }) => records.length > 0) && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            onLeave()
            showRecords(collection.name, skipped)
          }}
        >
          {t('Show them')}
        </Button>
      )}
    </section>
  )
}

function useTranslated(skipped: readonly SkippedRecords[]): readonly SkippedRecords[] {
  const [translated, setTranslated] = useState(skipped)
  useEffect(() => {
    void serverTranslator().then((words) => setTranslated(translateSkipReasons(skipped, words)))
  }, [skipped])
  return translated
}
