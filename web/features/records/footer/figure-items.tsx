import { Menu } from '@mantine/core'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import { t } from '#web/language/t.ts'
import { type Figure, figuresFor, type FigureSubject, figureWord } from './figures.ts'

type FigureItemsProps = {
  readonly subject: FigureSubject
  readonly figure: Figure | undefined
  readonly onPick: (figure: Figure | null) => void
}

/** Which figure stands below a column. */
export function FigureItems({ subject, figure, onPick }: FigureItemsProps) {
  const choices: readonly (Figure | undefined)[] = [undefined, ...figuresFor(subject)]
  return choices.map((each) => (
    <Menu.RadioItem
      key={each ?? 'none'}
      value={each ?? 'none'}
      checked={each === figure}
      checkIcon={<IconCheck size={14} stroke={2} />}
      closeMenuOnClick
      onChange={() => onPick(each ?? null)}
    >
      {each ? figureWord(subject, each) : t('Nothing')}
    </Menu.RadioItem>
  ))
}
