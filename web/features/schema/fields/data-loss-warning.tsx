import { Button } from '@mantine/core'
import { toCallError } from '#web/data/api/call-error.ts'
import { plural, t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import '#web/features/schema/schema.css'

type DataLoss = { readonly count: number; readonly examples: readonly string[] }

/** Undefined if the error has a different cause. */
export function dataLossOf(error: unknown): DataLoss | undefined {
  const lost = toCallError(error)?.extra['lost']
  if (typeof lost !== 'object' || lost === null || !('count' in lost) || typeof lost.count !== 'number')
    return undefined
  const examples = 'examples' in lost && Array.isArray(lost.examples) ? lost.examples : []
  return { count: lost.count, examples: [...new Set(examples.filter((example) => typeof example === 'string'))] }
}

type DataLossWarningProps = { readonly error: Error | null; readonly onAccept: () => void }

/** Shows which data would be lost; the user must confirm it. */
export function DataLossWarning({ error, onAccept }: DataLossWarningProps) {
  const loss = dataLossOf(error)
  if (loss) {
    return (
      <div className="field-loss" role="alert" ref={showWhole}>
        <p>
          {loss.examples.length > 0
            ? plural(
                loss.count,
                '{n} value can’t be converted and will be deleted, for example:',
                '{n} values can’t be converted and will be deleted, for example:',
              )
            : plural(
                loss.count,
                '{n} value can’t be converted and will be deleted',
                '{n} values can’t be converted and will be deleted',
              )}
        </p>
        {loss.examples.length > 0 && (
          <ul>
            {loss.examples.slice(0, 5).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        )}
        <p>{t('Nothing has been changed yet.')}</p>
        <Button size="xs" color="danger" variant="filled" onClick={onAccept}>
          {plural(loss.count, 'Continue and delete {n} value', 'Continue and delete {n} values')}
        </Button>
      </div>
    )
  }
  const isShownAtItsPlace = toCallError(error)?.errors.some(({ path }) => path !== '') ?? false
  return error && !isShownAtItsPlace ? <FailureNotice error={error} /> : null
}

/** Scrolls the warning into view, because it appears below a long form. */
const showWhole = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })
