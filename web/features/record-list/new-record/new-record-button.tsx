import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import type { RequiredBeforeCreate } from '#web/field-kinds/new-record/required-fields-dialog.tsx'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'

type NewRecordButtonProps = {
  readonly collection: TypedCollection
  readonly onCreated: (record: RecordBody) => void
  /** As the last row of a list instead of a button. */
  readonly look?: 'button' | 'line'
}

const required = lazyModule(() => import('#web/field-kinds/new-record/required-fields-dialog.tsx'))

const NOTHING: RequiredBeforeCreate = { fields: [], reasons: [] }

/** Creates a record and opens it; asks for required fields first. */
export function NewRecordButton({ collection, onCreated, look = 'button' }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [requested, setRequested] = useState(NOTHING)
  const { RequiredFieldsDialog } = useLazyModule(required, false) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name)

  const ask = (first: RequiredBeforeCreate) => {
    setRequested(first)
    if (first.fields.length > 0) setAsking(true)
    return first.fields.length > 0
  }
  const begin = ({ missingFields, requiredByRules }: Awaited<ReturnType<typeof required.load>>) => {
    if (ask(missingFields(collection, requested))) return
    mutate(
      {},
      {
        onSuccess: onCreated,
        onError: (error) => {
          if (!ask(requiredByRules(collection, error))) notifyFailed(error)
        },
      },
    )
  }
  const make = () => void required.load().then(begin, notifyFailed)
  useCreateCommand(look, make)
  return (
    <>
      <Button
        variant={look === 'button' ? 'filled' : 'subtle'}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        loading={isPending}
        onClick={make}
      >
        {t('New record')}
      </Button>
      {RequiredFieldsDialog && (
        <RequiredFieldsDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          collection={collection}
          {...requested}
          onCreated={(record) => {
            setAsking(false)
            onCreated(record)
          }}
        />
      )}
    </>
  )
}

/** In a list row it creates in place; by palette and shortcut it opens. */
function useCreateCommand(look: 'button' | 'line', run: () => void): void {
  const command = {
    id: 'new-record',
    label: t('New record'),
    about: 'page',
    alsoCalled: t('Add, create'),
    run,
  } as const
  useCommand(look === 'button' ? { ...command, icon: IconPlus } : undefined)
}

function notifyFailed(error: unknown): void {
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}
