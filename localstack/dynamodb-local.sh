#!/bin/sh
# Stands where LocalStack looks for a Java of its own, first on the PATH. It wants one for DynamoDB Local alone:
# java -javaagent:… -jar DynamoDBLocal.jar ARGUMENTS. The agent, for more than 20 indexes a table, is left out.
# It ends with LocalStack, however that ends.
while [ "$1" != -jar ]; do shift; done
shift 2
PATH=${PATH#*:}
exec setpriv --pdeathsig KILL java -Xmx256m -Djava.library.path="$DYNAMODB_LOCAL_LIBRARIES" -cp "$DYNAMODB_LOCAL_LIBRARIES/*" \
  com.amazonaws.services.dynamodbv2.local.main.ServerRunner "$@"
