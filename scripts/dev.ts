/** `npm run dev`: restarts the server when its files change and hot-reloads the page; Ctrl-C stops both. */
import { spawn } from 'node:child_process'
import { createServer } from 'vite'

const vite = await createServer()
await vite.listen()
const pageUrl = `http://localhost:${vite.config.server.port}`

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  stdio: 'inherit',
  // Links, cookies and the setup URL must use the Vite dev server's URL.
  env: { ...process.env, DOSSIER_URL: process.env['DOSSIER_URL'] ?? pageUrl },
})
console.log(`\nDevelopment page: ${pageUrl} (the server has its own port)\n`)

let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  server.kill('SIGTERM')
  await vite.close()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
server.on('exit', (code) => {
  const exitCode = isEnding ? 0 : (code ?? 1)
  void end().then(() => process.exit(exitCode))
})
