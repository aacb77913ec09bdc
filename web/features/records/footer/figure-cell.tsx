import { UnstyledButton } from '@mantine/core'
import { later } from '#web/kit/later.ts'
import { MenuButton } from '#web/kit/popup/menu-button.tsx'
import { t } from '#web/language/t.ts'
import { type Figure, type FigureState, type FigureSubject, figureWord } from './figures.ts'
import './footer.css'

const items = later(() => import('./figure-items.tsx'))

type FigureCellProps = {
  /** What the column is called. */
  readonly label: string
  readonly subject: FigureSubject
  readonly figure: Figure | undefined
  readonly state: FigureState | undefined
  readonly onPick: (figure: Figure | null) => void
}

/** The figure below one column, and the menu that says which. */
export function FigureCell({ label, subject, figure, state, onPick }: FigureCellProps) {
  const word = figure && figureWord(subject, figure)
  return (
    <MenuButton
      part={items}
      items={({ FigureItems }) => <FigureItems subject={subject} figure={figure} onPick={onPick} />}
      position="bottom-start"
      widthPx={180}
      button={(button) => (
        <UnstyledButton
          {...button}
          className="figure-button"
          tabIndex={-1}
          data-empty={figure === undefined || undefined}
          aria-label={word ? `${label}: ${word} ${spoken(state)}` : t('Figure for {label}', { label })}
        >
          {word ? (
            <span className="grid-figure">
              <span className="grid-figure-name">{word}</span> <FigureText state={state} />
            </span>
          ) : (
            <span aria-hidden>{t('Figure')}</span>
          )}
        </UnstyledButton>
      )}
    />
  )
}

function FigureText({ state }: { readonly state: FigureState | undefined }) {
  if (state?.is === 'there') return <span className="figure-text">{state.text === '' ? t('none') : state.text}</span>
  if (state?.is === 'failed') return <span className="figure-text figure-failed">{t('not known')}</span>
  return <span className="grid-skeleton figure-waiting" />
}

function spoken(state: FigureState | undefined): string {
  if (state?.is === 'there') return state.text === '' ? t('none') : state.text
  return state?.is === 'failed' ? t('not known') : t('loading')
}
