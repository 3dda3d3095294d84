/** One sentence for the operator on why the service cannot start, and what to change. */
export function explainStartFailure(error: unknown, environment: Readonly<Record<string, string | undefined>>): string {
  const { code, syscall, path, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program; set PORT to a free one.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `Cannot listen on ${address ?? environment['HOST']} port ${port ?? environment['PORT']} (${code}); set HOST and PORT.`;
  }
  if (path !== undefined) {
    return `Cannot use ${path} (${code}); set DATA_DIR to a folder that this account may write to.`;
  }
  return `Cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
