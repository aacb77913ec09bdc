import { isBoardField, type BoardOptions } from '#domain/views/board.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { CardsOptionsForm } from '../cards/cards-options.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'

export function BoardOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<BoardOptions>) {
  const { by, ...cards } = options
  return (
    <>
      <WithHelp setting="board-columns">
        <Select
          size="xs"
          label={t('Columns by')}
          placeholder={t('Choose a field')}
          data={collection.fields.filter(isBoardField).map((field) => ({ value: field.id, label: field.label }))}
          value={by}
          onChange={(next) => onChange({ ...options, by: next })}
        />
      </WithHelp>
      <CardsOptionsForm collection={collection} options={cards} onChange={(next) => onChange({ ...next, by })} />
    </>
  )
}
