import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { wireValues } from '#web/shared/fields/client-value.ts'
import type { ShownValues } from '#web/shared/record-drafts/record-draft.ts'
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
  /** `line`: rendered as the last row of a list. */
  readonly look?: 'button' | 'line'
}

const required = lazyModule(() => import('#web/field-kinds/new-record/required-fields-dialog.tsx'))

const NOTHING: RequiredBeforeCreate = { fields: [], reasons: [] }

/** Creates a record, with optional values; first prompts the user for required fields. */
export function useNewRecord(collection: TypedCollection, onCreated: (record: RecordBody) => void) {
  const [isAsking, setAsking] = useState(false)
  const [requested, setRequested] = useState(NOTHING)
  const [given, setGiven] = useState<ShownValues>({})
  const { RequiredFieldsDialog } = useLazyModule(required, false) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name, collection.fields)

  const ask = ({ fields, reasons }: RequiredBeforeCreate, values: ShownValues) => {
    const open = fields.filter(({ name }) => !Object.hasOwn(values, name))
    setRequested({ fields: open, reasons })
    setGiven(values)
    if (open.length > 0) setAsking(true)
    return open.length > 0
  }
  const begin = (
    { missingFields, requiredByRules }: Awaited<ReturnType<typeof required.load>>,
    values: ShownValues,
  ) => {
    if (ask(missingFields(collection, requested), values)) return
    mutate(wireValues(collection.fields, values), {
      onSuccess: onCreated,
      onError: (error) => {
        if (!ask(requiredByRules(collection, error), values)) notifyFailed(error)
      },
    })
  }
  const dialog = RequiredFieldsDialog && (
    <RequiredFieldsDialog
      isOpen={isAsking}
      onClose={() => setAsking(false)}
      collection={collection}
      start={given}
      {...requested}
      onCreated={(record) => {
        setAsking(false)
        onCreated(record)
      }}
    />
  )
  const make = (values: ShownValues = {}) => void required.load().then((part) => begin(part, values), notifyFailed)
  return { make, isPending, dialog }
}

/** Creates a record and opens it. */
export function NewRecordButton({ collection, onCreated, look = 'button' }: NewRecordButtonProps) {
  const { make, isPending, dialog } = useNewRecord(collection, onCreated)
  useCreateCommand(look, make)
  return (
    <>
      <Button
        variant={look === 'button' ? 'filled' : 'subtle'}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        loading={isPending}
        onClick={() => make()}
      >
        {t('New record')}
      </Button>
      {dialog}
    </>
  )
}

/**
 * Registers the palette command and shortcut, which open the new record; not used for the list row, which creates it in
 * place.
 */
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
