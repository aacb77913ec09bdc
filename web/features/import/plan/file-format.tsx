import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ImportBody, type ImportPreview, lookAgain } from '#api/imports.ts'
import { ENCODING_NAMES, ENCODINGS, type Encoding } from '#domain/imports/encodings.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { type ImportPlan, planForNew, planInto } from './import-plan.ts'

type FileFormatProps = {
  readonly looked: ImportBody
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  readonly onPlan: (plan: ImportPlan) => void
}

const SEPARATOR_LABELS = [
  { value: ',', label: t('Comma') },
  { value: ';', label: t('Semicolon') },
  { value: '\t', label: 'Tab' },
  { value: '|', label: t('Pipe') },
]

const ENCODING_LABELS = ENCODING_NAMES.map((name) => ({ value: name, label: ENCODINGS[name] }))

/** How the file is read; another way is tried at once, and everything below follows what it finds. */
export function FileFormat({ looked, preview, plan, onPlan }: FileFormatProps) {
  const queryClient = useQueryClient()
  const { data: collections = [] } = useQuery(collectionsQuery)
  const again = useMutation({
    mutationFn: (body: { readonly encoding: Encoding; readonly separator: string }) =>
      call(lookAgain, { params: { import: looked.id }, body }),
    onSuccess: (next) => {
      queryClient.setQueryData(queryKeys.import(looked.id), next)
      if (!next.preview) return
      const into = collections.find(({ name }) => name === plan.into)
      const fresh = { ...planForNew(next.preview, looked.fileName), label: plan.label, skipsBadRows: plan.skipsBadRows }
      onPlan(into ? planInto(fresh, next.preview, into) : fresh)
    },
  })
  const { encoding, separator, confidence } = preview
  return (
    <>
      {again.error && <FailureNotice error={again.error} />}
      <div className="plan-target">
        <WithHelp setting="import-encoding">
          <Select
            label={t('File encoding')}
            description={describeConfidence(confidence)}
            searchable
            allowDeselect={false}
            data={ENCODING_LABELS}
            value={again.isPending ? again.variables.encoding : encoding}
            disabled={again.isPending}
            onChange={(value) => {
              const chosen = ENCODING_NAMES.find((name) => name === value)
              if (chosen) again.mutate({ encoding: chosen, separator })
            }}
          />
        </WithHelp>
        <WithHelp setting="import-separator">
          <Select
            label={t('Delimiter')}
            description={t('Every row should have the same number of columns.')}
            allowDeselect={false}
            data={SEPARATOR_LABELS}
            value={again.isPending ? again.variables.separator : separator}
            disabled={again.isPending}
            onChange={(value) => value !== null && again.mutate({ encoding, separator: value })}
          />
        </WithHelp>
      </div>
    </>
  )
}

function describeConfidence(confidence: ImportPreview['confidence']): string {
  if (confidence === 'certain') return t('Detected from the file')
  if (confidence === 'likely') return t('Probably correct: the text is readable.')
  return t('Guessed. Check accented characters in the preview, and select another encoding if they look wrong.')
}
