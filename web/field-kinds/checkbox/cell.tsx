import { IconCheck } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'

/** A tick or nothing; what is not ticked stays quiet, but is said. */
export function CheckboxCell({ value }: CellProps<'checkbox'>) {
  if (!value) return <span className="visually-hidden">{t('No')}</span>
  return (
    <span className="cell-tick">
      <IconCheck size={16} stroke={2} aria-hidden />
      <span className="visually-hidden">{t('Yes')}</span>
    </span>
  )
}
