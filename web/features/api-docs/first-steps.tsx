import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { Code } from './code-block.tsx'
import type { Operation } from './open-api.ts'
import { curlCommand } from './curl-command.ts'

type FirstStepsProps = {
  /** What one asks for first. */
  readonly operation: Operation | undefined
  readonly origin: string
}

const PARTS = {
  code: (text: ReactNode) => <code>{text}</code>,
  tokens: (text: ReactNode) => <Link to="/settings/tokens">{text}</Link>,
}

/** What whoever comes here for the first time does, and what they should know of every answer. */
export function FirstSteps({ operation, origin }: FirstStepsProps) {
  return (
    <section className="api-begin" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('Getting started')}</h2>
      <ol>
        <li>
          <Say text={t('Create a token under <tokens>API tokens</tokens> and set it in your shell.')} parts={PARTS} />
          <Code text="export DOSSIER_TOKEN='…'" label={t('Token as a variable')} />
        </li>
        {operation && (
          <li>
            {t('Send a request.')}
            <Code text={curlCommand(operation, origin)} label={t('First request')} />
          </li>
        )}
        <li>
          <Say
            text={t(
              'Errors: <code>code</code> is stable for programs, <code>detail</code> is for people. With 429 and 503, <code>Retry-After</code> says when to retry.',
            )}
            parts={PARTS}
          />
        </li>
      </ol>
      <p>
        <Say
          text={t(
            'Dates use the time zone in the <code>Time-Zone</code> header, such as Europe/Vienna. The default is UTC.',
          )}
          parts={PARTS}
        />
      </p>
    </section>
  )
}
