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
import type { RequiredBeforeCreate } from './required-before-create.ts'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'

type NewRecordButtonProps = {
  readonly collection: TypedCollection
  readonly onCreated: (record: RecordBody) => void
  /** The line at the end of a list, instead of the button above it. */
  readonly look?: 'button' | 'line'
}

const requiredDialog = lazyModule(() => import('./required-fields-dialog.tsx'))
const requiredBeforeCreate = lazyModule(() => import('./required-before-create.ts'))

const NOTHING: RequiredBeforeCreate = { fields: [], reasons: [] }

/** Makes a record at once and opens it; only where fields are required are they asked for first. */
export function NewRecordButton({ collection, onCreated, look = 'button' }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [asked, setAsked] = useState(NOTHING)
  const { RequiredFieldsDialog } = useLazyModule(requiredDialog, isAsking) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name)
  useLazyModule(requiredBeforeCreate, false)

  const ask = (first: RequiredBeforeCreate) => {
    setAsked(first)
    if (first.fields.length > 0) setAsking(true)
    return first.fields.length > 0
  }
  const begin = ({ missingFields, requiredByRules }: Awaited<ReturnType<typeof requiredBeforeCreate.load>>) => {
    if (ask(missingFields(collection, asked))) return
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
  const make = () => void requiredBeforeCreate.load().then(begin, notifyFailed)
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
          {...asked}
          onCreated={(record) => {
            setAsking(false)
            onCreated(record)
          }}
        />
      )}
    </>
  )
}

/** The line at the end makes it in the list; by the palette and by its key it is opened. */
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
