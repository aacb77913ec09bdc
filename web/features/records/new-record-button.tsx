import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { later, useLater } from '#web/kit/later.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { useCreateRecord } from './record-queries.ts'
import { namedBy } from './rule-breaches.ts'

type NewRecordButtonProps = {
  readonly collection: KnownCollection
  readonly onCreated: (record: RecordBody) => void
}

const requiredDialog = later(() => import('./required-dialog.tsx'))

/** What must be filled in before a record can exist at all. */
const missingFields = (collection: KnownCollection): readonly Field[] =>
  collection.fields.filter(
    (field) => field.required && isEmptyValue(startingValue(field)) && field.kind !== 'auto-number',
  )

/** What must be said at once where a rule refuses an empty record: the fields it names that people fill in. */
function fieldsOfRules({ rules = [], fields }: KnownCollection, error: unknown): readonly Field[] {
  const failure = asCallFailed(error)
  if (failure?.code !== 'rule-broken') return []
  const broken = rules.filter(({ message }) => failure.errors.some((part) => part.message === message))
  const named = broken.flatMap(namedBy)
  return fields.filter(({ name, kind }) => named.includes(name) && kind !== 'auto-number' && kind !== 'files')
}

/** Makes a record at once and opens it; only where fields are required are they asked for first. */
export function NewRecordButton({ collection, onCreated }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [ruled, setRuled] = useState<readonly Field[]>([])
  const { RequiredDialog } = useLater(requiredDialog, isAsking) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name)
  const required = missingFields(collection)
  const asked = [...required, ...ruled.filter((field) => !required.includes(field))]

  const begin = () => {
    if (asked.length > 0) return setAsking(true)
    mutate(
      {},
      {
        onSuccess: onCreated,
        onError: (error) => {
          const fields = fieldsOfRules(collection, error)
          setRuled(fields)
          if (fields.length > 0) setAsking(true)
          else notify.error(failureText(error).title, { detail: failureText(error).detail })
        },
      },
    )
  }
  return (
    <>
      <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />} loading={isPending} onClick={begin}>
        New record
      </Button>
      {RequiredDialog && (
        <RequiredDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          collection={collection}
          fields={asked}
          onCreated={onCreated}
        />
      )}
    </>
  )
}
