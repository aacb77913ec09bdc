import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readOpenApi } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ApiReference } from '#web/features/api-docs/api-reference.tsx'
import type { OpenApiDocument } from '#web/features/api-docs/open-api.ts'
import { IconDownload } from '#web/ui/icons/general.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from './page-frame.tsx'

export function ApiDocsPage() {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.openApi,
    queryFn: async ({ signal }) => {
      const file = await call(readOpenApi, { signal })
      // Safe to parse without validation, because our server generates the document.
      return { file, document: JSON.parse(await file.text()) as OpenApiDocument }
    },
  })
  return (
    <PageFrame
      title={t('API reference')}
      lead={t('Every API endpoint of this workspace, including the collections and fields you can access.')}
      width="wide"
      actions={
        data && (
          <Button
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            onClick={() => saveBlob(data.file, 'openapi.json')}
          >
            {t('OpenAPI document')}
          </Button>
        )
      }
    >
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={480} radius="md" />}
      {data && <ApiReference document={data.document} />}
    </PageFrame>
  )
}
