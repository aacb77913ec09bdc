import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { readOpenApi } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { t } from '#web/i18n/t.ts'
import { Code } from './code-block.tsx'
import type { Operation } from './open-api.ts'

/** Maximum number of characters of a response to display. */
const MAX_SHOWN = 20_000

type Given = { readonly [name: string]: string }

function addressOf({ path, parameters = [] }: Operation, given: Given): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
  const query = parameters.flatMap(({ in: place, name }): [string, string][] => {
    const value = given[name] ?? ''
    return place === 'query' && value !== '' ? [[name, value]] : []
  })
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}

async function formatResponse(answer: Blob): Promise<string> {
  const text = await answer.text()
  const isJson = /\bjson\b/.test(answer.type) && text.length <= MAX_SHOWN
  const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown
}

/** Sends the request as the signed-in user; only for read requests. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header')
  const [given, setGiven] = useState<Given>({})
  const asking = useMutation({
    mutationFn: async () => formatResponse(await call({ ...readOpenApi, path: addressOf(operation, given) })),
  })
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <section>
      <h4>{t('Try it')}</h4>
      <form className="api-try" onSubmit={send}>
        {parameters.map(({ name, required, example }) => (
          <TextInput
            key={name}
            label={name}
            required={required}
            size="xs"
            {...(example !== undefined && { placeholder: example })}
            value={given[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setGiven((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <Button type="submit" size="xs" loading={asking.isPending}>
          {t('Send')}
        </Button>
      </form>
      <FailureNotice error={asking.error} />
      {asking.data !== undefined && <Code text={asking.data} label={t('Response')} />}
    </section>
  )
}
