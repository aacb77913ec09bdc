import { Menu } from '@mantine/core'
import { IconCheck } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { type Summary, summariesFor, type SummarySubject, summaryLabel } from './summaries.ts'

type SummaryMenuItemsProps = {
  readonly subject: SummarySubject
  readonly summary: Summary | undefined
  readonly onPick: (summary: Summary | null) => void
}

export function SummaryMenuItems({ subject, summary, onPick }: SummaryMenuItemsProps) {
  const choices: readonly (Summary | undefined)[] = [undefined, ...summariesFor(subject)]
  return choices.map((each) => (
    <Menu.RadioItem
      key={each ?? 'none'}
      value={each ?? 'none'}
      checked={each === summary}
      checkIcon={<IconCheck size={14} stroke={2} />}
      closeMenuOnClick
      onChange={() => onPick(each ?? null)}
    >
      {each ? summaryLabel(subject, each) : t('None')}
    </Menu.RadioItem>
  ))
}
